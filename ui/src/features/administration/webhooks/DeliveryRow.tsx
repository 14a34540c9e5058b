import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { formatRelative, fullTime } from "@/kit/times";
import { webhooks } from "@/texts/webhooks";
import { DeliveryDetails } from "./DeliveryDetails";
import classes from "./DeliveryRow.module.css";
import { toneOfDelivery } from "./model";
import type { Delivery, Webhook } from "./queries";
import { StatusTag } from "./StatusTag";

interface Props {
  webhook: Webhook;
  delivery: Delivery;
  mayManage: boolean;
}

/** A delivery in one line, which expands to its details. */
export function DeliveryRow({ webhook, delivery, mayManage }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = `delivery-${delivery.delivery_id}`;
  return (
    <>
      <button
        type="button"
        className={classes.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={15} aria-hidden className={classes.arrow} />
        <StatusTag tone={toneOfDelivery(delivery)}>{webhooks.deliveryStatuses[delivery.status]}</StatusTag>
        <span className={classes.event}>
          {delivery.event_type}
          {delivery.attempts.length > 1 && ` · ${webhooks.log.attempts(delivery.attempts.length)}`}
        </span>
        <span className={classes.code}>{delivery.response_code ?? ""}</span>
        <time className={classes.when} dateTime={delivery.created_at} title={fullTime(delivery.created_at)}>
          {formatRelative(delivery.created_at, new Date())}
        </time>
      </button>
      {isOpen && (
        <div id={id}>
          <DeliveryDetails webhook={webhook} delivery={delivery} mayManage={mayManage} />
        </div>
      )}
    </>
  );
}
