import { ChevronRight } from "lucide-react";
import { formatRelative, fullTime } from "@/kit/text/times";
import { webhooks } from "@/texts/webhooks";
import { DeliveryDetails } from "./DeliveryDetails";
import classes from "./DeliveryRow.module.css";
import { toneOfDelivery } from "../status";
import type { Delivery } from "../queries";
import { StatusTag } from "../../StatusTag";
import type { DeliveryActions } from "./useDeliveryActions";

/** What an expanded row shows. */
export type View = "details" | "comparison";

interface Props {
  delivery: Delivery;
  actions: DeliveryActions;
  /** Undefined if the row is closed. */
  view: View | undefined;
  onView: (view: View | undefined) => void;
}

/** A delivery in one line, which expands to its details. */
export function DeliveryRow({ delivery, actions, view, onView }: Props) {
  const isOpen = view !== undefined;
  const id = `delivery-${delivery.delivery_id}`;
  return (
    <>
      <button
        type="button"
        className={classes.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onView(isOpen ? undefined : "details")}
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
          <DeliveryDetails
            delivery={delivery}
            actions={actions}
            isComparing={view === "comparison"}
            onCompare={() => onView(view === "comparison" ? "details" : "comparison")}
          />
        </div>
      )}
    </>
  );
}
