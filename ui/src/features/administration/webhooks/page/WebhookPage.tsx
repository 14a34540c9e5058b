import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useEffect } from "react";
import { ErrorPage } from "@/kit/layout/ErrorPage";
import backClasses from "@/kit/layout/BackLink.module.css";
import { Loading } from "@/kit/layout/Loading";
import { setTitle } from "@/kit/layout/title";
import { SecretAlert } from "@/kit/overlay/SecretAlert";
import { webhooks } from "@/texts/webhooks";
import { DeliveryLog } from "../log/DeliveryLog";
import { HealthPanel } from "../health/HealthPanel";
import { statusText, toneOfWebhook } from "../status";
import { useMayManage, webhookOf } from "../queries";
import { StatusTag } from "../../StatusTag";
import { WebhookActions } from "./WebhookActions";
import { WebhookFacts } from "./WebhookFacts";
import { WebhookNotices } from "./WebhookNotices";
import classes from "./WebhookPages.module.css";

const labels = webhooks;

/** The page of a webhook: status, actions, facts and delivery log. */
export function WebhookPage() {
  const { organizationId, webhookId } = useParams({
    from: "/signed-in/o/$organizationId/administration/webhooks/$webhookId",
  });
  const { data: webhook, error } = useQuery(webhookOf(organizationId, webhookId));
  const mayManage = useMayManage(organizationId);
  const title = webhook?.name ?? labels.title;
  useEffect(() => {
    setTitle(title);
  }, [title]);
  if (error && !webhook) return <ErrorPage error={error} />;
  return (
    <div className={classes.page}>
      <Link
        to="/o/$organizationId/administration/webhooks"
        params={{ organizationId }}
        className={backClasses.back}
      >
        <ChevronLeft size={15} aria-hidden /> {labels.back}
      </Link>
      {!webhook && <Loading />}
      {webhook && (
        <>
          <div className={classes.head}>
            <div>
              <div className={classes.heading}>
                <h2>
                  <bdi>{webhook.name}</bdi>
                </h2>
                <StatusTag tone={toneOfWebhook(webhook)}>{statusText(webhook)}</StatusTag>
              </div>
              {webhook.description && <p className={classes.about}>{webhook.description}</p>}
            </div>
            {mayManage && <WebhookActions webhook={webhook} />}
          </div>
          <SecretAlert
            place={webhook.id}
            title={() => labels.secret.title}
            labels={labels.secret}
            example={() => ({ hint: labels.secret.hint, command: "atrium receive --secret-file -" })}
          />
          <WebhookNotices webhook={webhook} mayManage={mayManage} />
          <WebhookFacts webhook={webhook} />
          <HealthPanel webhook={webhook} />
          <DeliveryLog webhook={webhook} mayManage={mayManage} />
        </>
      )}
    </div>
  );
}
