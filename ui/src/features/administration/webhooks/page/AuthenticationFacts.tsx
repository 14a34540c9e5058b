import { Fact } from "@/kit/layout/Facts";
import { shortDate } from "@/kit/text/times";
import { webhookAuthentication } from "@/texts/webhookAuthentication";
import { endingOf } from "../form/authentication";
import type { Webhook } from "../queries";
import { StatusTag } from "../../StatusTag";
import classes from "./AuthenticationFacts.module.css";

const labels = webhookAuthentication.facts;

/** How a webhook authenticates to its endpoint; of a certificate, when it ends. */
export function AuthenticationFacts({ webhook }: { webhook: Webhook }) {
  const { authentication } = webhook;
  if (authentication === null) return null;
  return (
    <Fact label={webhookAuthentication.title}>
      {authentication.type === "oauth2" ? (
        <>
          <dd>{labels.client(authentication.client_id, new URL(authentication.token_url).host)}</dd>
          {authentication.scope && <dd>{labels.scope(authentication.scope)}</dd>}
          {authentication.audience && <dd>{labels.audience(authentication.audience)}</dd>}
        </>
      ) : (
        <>
          <dd>
            {labels.certificate} <bdi>{authentication.subject}</bdi>{" "}
            <CertificateEnd webhook={webhook} at={authentication.ends_at} />
          </dd>
          <dd className={classes.issuer}>{labels.issuer(authentication.issuer)}</dd>
          <dd className={classes.fingerprint} title={authentication.fingerprint}>
            {labels.fingerprint} <code>{authentication.fingerprint}</code>
          </dd>
        </>
      )}
    </Fact>
  );
}

function CertificateEnd({ webhook, at }: { webhook: Webhook; at: string }) {
  const ending = endingOf(webhook, new Date());
  const tone = ending ? (ending.hasEnded ? "bad" : "warn") : "quiet";
  const text = ending?.hasEnded ? labels.ended : labels.ends;
  return <StatusTag tone={tone}>{text(shortDate(at))}</StatusTag>;
}
