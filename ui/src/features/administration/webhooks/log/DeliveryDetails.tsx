import { Button } from "@mantine/core";
import { ariaKeys } from "@/kit/input/keys";
import { SHORTCUTS } from "@/kit/input/shortcuts";
import { exactTime } from "@/kit/text/times";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import { AttemptDetails } from "./AttemptDetails";
import { CodeBox } from "./CodeBox";
import { Comparison } from "./Comparison";
import classes from "./DeliveryDetails.module.css";
import { readable } from "./format";
import type { Delivery } from "../queries";
import type { DeliveryActions } from "./useDeliveryActions";

interface Props {
  delivery: Delivery;
  actions: DeliveryActions;
  isComparing: boolean;
  onCompare: () => void;
}

const labels = webhooks.log;

/** The details of a delivery: its body, and each attempt with request and response. */
export function DeliveryDetails({ delivery, actions, isComparing, onCompare }: Props) {
  const { attempts } = delivery;
  return (
    <div className={classes.details}>
      <div className={classes.line}>
        <span>
          {labels.id} <code>{delivery.delivery_id}</code> · {exactTime(delivery.created_at)}
          {delivery.next_retry_at && ` · ${labels.next(exactTime(delivery.next_retry_at))}`}
        </span>
        <span className={classes.actions}>
          {attempts.length > 1 && (
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={isComparing}
              aria-keyshortcuts={ariaKeys(SHORTCUTS.compare.keys[0])}
              onClick={onCompare}
            >
              {isComparing ? workbench.compare.close : workbench.compare.action}
            </Button>
          )}
          {actions.resend && (
            <Button
              size="compact-sm"
              variant="default"
              loading={actions.isSending}
              aria-keyshortcuts={ariaKeys(SHORTCUTS.resend.keys[0])}
              onClick={() => actions.resend?.(delivery)}
            >
              {labels.resend}
            </Button>
          )}
        </span>
      </div>
      {isComparing && <Comparison key={attempts.length} attempts={attempts} />}
      <h3>{labels.body}</h3>
      <CodeBox label={labels.body}>{readable(delivery.request_body)}</CodeBox>
      {attempts.length === 0 && (
        <p className={classes.more}>
          {delivery.status === "DELIVERY_STATUS_MISSED" ? labels.notTried : labels.waiting}
        </p>
      )}
      {attempts.toReversed().map((each, nr) => (
        <AttemptDetails
          key={each.attempt}
          attempt={each}
          isLatest={nr === 0}
          {...(delivery.request_body && { onCopy: () => actions.copy(delivery, each) })}
        />
      ))}
    </div>
  );
}
