import { Link } from "@tanstack/react-router";
import { webhooks } from "@/texts/webhooks";
import { HealthStrip } from "./HealthStrip";
import { toneOfWebhook } from "./model";
import type { Webhook } from "./queries";
import { StatusTag } from "./StatusTag";
import classes from "./WebhookRow.module.css";

const labels = webhooks;

export function WebhookRow({ webhook }: { webhook: Webhook }) {
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
        <StatusTag tone={toneOfWebhook(webhook)}>{labels.statuses[webhook.status]}</StatusTag>
        {webhook.failure_count > 0 && <small>{labels.failures(webhook.failure_count)}</small>}
        {webhook.missed_count > 0 && <small>{labels.missed(webhook.missed_count)}</small>}
      </span>
    </Link>
  );
}
