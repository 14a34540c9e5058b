import { Button } from "@mantine/core";
import { showNotice } from "@/kit/notices";
import { exactTime } from "@/kit/times";
import { webhooks } from "@/texts/webhooks";
import { resend } from "./actions";
import { AttemptDetails } from "./AttemptDetails";
import { CodeBox } from "./CodeBox";
import classes from "./DeliveryDetails.module.css";
import { readable } from "./model";
import type { Delivery, Webhook } from "./queries";
import { useAction } from "./useAction";

interface Props {
  webhook: Webhook;
  delivery: Delivery;
  mayManage: boolean;
}

const labels = webhooks.log;

/** The details of a delivery: its body, and each attempt with request and response. */
export function DeliveryDetails({ webhook, delivery, mayManage }: Props) {
  const again = useAction(
    () => resend(webhook, delivery.delivery_id),
    () => showNotice(labels.resent),
  );
  return (
    <div className={classes.details}>
      <div className={classes.line}>
        <span>
          {labels.id} <code>{delivery.delivery_id}</code> · {exactTime(delivery.created_at)}
          {delivery.next_retry_at && ` · ${labels.next(exactTime(delivery.next_retry_at))}`}
        </span>
        {mayManage && webhook.status === "WEBHOOK_STATUS_ACTIVE" && (
          <Button
            size="compact-sm"
            variant="default"
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            {labels.resend}
          </Button>
        )}
      </div>
      <h3>{labels.body}</h3>
      <CodeBox label={labels.body}>{readable(delivery.request_body)}</CodeBox>
      {delivery.attempts.length === 0 && (
        <p className={classes.more}>
          {delivery.status === "DELIVERY_STATUS_MISSED" ? labels.notTried : labels.waiting}
        </p>
      )}
      {[...delivery.attempts].reverse().map((each) => (
        <AttemptDetails key={each.attempt} attempt={each} />
      ))}
    </div>
  );
}
