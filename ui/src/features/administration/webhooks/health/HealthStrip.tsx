import { useQuery } from "@tanstack/react-query";
import { webhooks } from "@/texts/webhooks";
import classes from "./HealthStrip.module.css";
import { toneOfDelivery } from "../status";
import { newestOf, type Webhook } from "../queries";

const SHOWN = 24;

/** The results of the latest deliveries, oldest first. */
export function HealthStrip({ webhook }: { webhook: Webhook }) {
  const { data } = useQuery(newestOf(webhook.organization_id, webhook.id, SHOWN));
  if (!data) return <span className={classes.strip} />;
  if (data.length === 0) return <span className={classes.none}>{webhooks.noDeliveries}</span>;
  const delivered = data.filter((each) => each.status === "DELIVERY_STATUS_SUCCEEDED").length;
  return (
    <span className={classes.strip} role="img" aria-label={webhooks.health(delivered, data.length)}>
      {Array.from({ length: SHOWN - data.length }, (_, at) => (
        <span key={at} />
      ))}
      {[...data].reverse().map((each) => (
        <span key={each.delivery_id} data-tone={toneOfDelivery(each)} />
      ))}
    </span>
  );
}
