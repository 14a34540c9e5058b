import { Link } from "@tanstack/react-router";
import { shortDate } from "@/kit/text/times";
import { webhookAuthentication } from "@/texts/webhookAuthentication";
import { webhooks } from "@/texts/webhooks";
import { endingOf } from "../form/authentication";
import { HealthStrip } from "../health/HealthStrip";
import { statusText, toneOfWebhook } from "../status";
import type { Webhook } from "../queries";
import { StatusTag } from "../../StatusTag";
import classes from "./WebhookRow.module.css";

const labels = webhooks;
const endings = webhookAuthentication.ending;

export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const ending = endingOf(webhook, new Date());
  const params = { organizationId: webhook.organization_id, webhookId: webhook.id };
  return (
    <Link to="/o/$organizationId/administration/webhooks/$webhookId" params={params} className={classes.row}>
      <span className={classes.about}>
        <bdi className={classes.name}>{webhook.name}</bdi>
        <span className={classes.url}>{webhook.endpoint_url}</span>
      </span>
      <span className={classes.health}>
        <HealthStrip webhook={webhook} />
      </span>
      <span className={classes.state}>
        <StatusTag tone={toneOfWebhook(webhook)}>{statusText(webhook)}</StatusTag>
        {webhook.failure_count > 0 && <small>{labels.failures(webhook.failure_count)}</small>}
        {ending && <small>{ending.hasEnded ? endings.rowEnded : endings.row(shortDate(ending.at))}</small>}
        {webhook.missed_count > 0 && <small>{labels.missed(webhook.missed_count)}</small>}
      </span>
    </Link>
  );
}
