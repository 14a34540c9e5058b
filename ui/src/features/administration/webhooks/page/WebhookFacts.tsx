import { Fact, Facts } from "@/kit/layout/Facts";
import { shortDate } from "@/kit/text/times";
import { ActorName } from "@/model/people/ActorName";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { webhookAuthentication } from "@/texts/webhookAuthentication";
import { webhooks } from "@/texts/webhooks";
import { StatusTag } from "../../StatusTag";
import { endingOf } from "../form/authentication";
import { filterOf, subjectName } from "../form/subscriptions";
import type { Webhook } from "../queries";
import classes from "./WebhookPages.module.css";

const labels = webhooks;

/** The endpoint and the subscriptions of a webhook. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { spaces } = useSpacesWithRooms(webhook.organization_id);
  return (
    <Facts isWide>
      <Fact label={labels.facts.url}>
        <dd>{webhook.endpoint_url}</dd>
      </Fact>
      <Fact label={labels.facts.subscriptions}>
        {webhook.subscriptions.map((each, at) => (
          <dd key={at}>
            {labels.events[each.subscription_type]} ·{" "}
            <bdi>{subjectName(each, spaces, webhook.deleted_subjects)}</bdi>
            {each.filter?.room_type && ` · ${texts.rooms.types[each.filter.room_type].name}`}
            {filterOf(each).map((part) => ` · ${part}`)}
          </dd>
        ))}
      </Fact>
      {webhook.header_names.length > 0 && (
        <Fact label={labels.facts.headers}>
          <dd>{webhook.header_names.join(", ")}</dd>
        </Fact>
      )}
      {(webhook.ordering === "room" || webhook.rate_limit) && (
        <Fact label={labels.facts.deliveries}>
          {webhook.ordering === "room" && <dd>{labels.form.orderings.room}</dd>}
          {webhook.rate_limit && <dd>{labels.facts.rate(webhook.rate_limit)}</dd>}
        </Fact>
      )}
      <AuthenticationFacts webhook={webhook} />
      <Fact label={labels.facts.created}>
        <dd>
          {shortDate(webhook.created_at)}
          {webhook.created_by && (
            <>
              {" "}
              {labels.facts.by}{" "}
              <ActorName organizationId={webhook.organization_id} actorId={webhook.created_by} />
            </>
          )}
        </dd>
      </Fact>
    </Facts>
  );
}

const authenticationLabels = webhookAuthentication.facts;

/** How a webhook authenticates to its endpoint; of a certificate, when it ends. */
function AuthenticationFacts({ webhook }: { webhook: Webhook }) {
  const { authentication } = webhook;
  if (authentication === null) return null;
  return (
    <Fact label={webhookAuthentication.title}>
      {authentication.type === "oauth2" ? (
        <>
          <dd>
            {authenticationLabels.client(authentication.client_id, new URL(authentication.token_url).host)}
          </dd>
          {authentication.scope && <dd>{authenticationLabels.scope(authentication.scope)}</dd>}
          {authentication.audience && <dd>{authenticationLabels.audience(authentication.audience)}</dd>}
        </>
      ) : (
        <>
          <dd>
            {authenticationLabels.certificate} <bdi>{authentication.subject}</bdi>{" "}
            <CertificateEnd webhook={webhook} at={authentication.ends_at} />
          </dd>
          <dd className={classes.issuer}>{authenticationLabels.issuer(authentication.issuer)}</dd>
          <dd className={classes.fingerprint} title={authentication.fingerprint}>
            {authenticationLabels.fingerprint} <code>{authentication.fingerprint}</code>
          </dd>
        </>
      )}
    </Fact>
  );
}

function CertificateEnd({ webhook, at }: { webhook: Webhook; at: string }) {
  const ending = endingOf(webhook, new Date());
  const tone = ending ? (ending.hasEnded ? "bad" : "warn") : "quiet";
  const text = ending?.hasEnded ? authenticationLabels.ended : authenticationLabels.ends;
  return <StatusTag tone={tone}>{text(shortDate(at))}</StatusTag>;
}
