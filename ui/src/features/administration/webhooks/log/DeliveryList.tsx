import { useRef, useState } from "react";
import { ChevronRight } from "lucide-react";
import { useShortcuts } from "@/kit/input/shortcuts";
import { formatRelative, fullTime } from "@/kit/text/times";
import { webhooks } from "@/texts/webhooks";
import { StatusTag } from "../../StatusTag";
import type { Delivery, Webhook } from "../queries";
import { toneOfDelivery } from "../status";
import { DeliveryDetails } from "./DeliveryDetails";
import classes from "./DeliveryLog.module.css";
import { useDeliveryActions, type DeliveryActions } from "./useDeliveryActions";

interface Props {
  webhook: Webhook;
  deliveries: Delivery[];
  mayManage: boolean;
}

/** The deliveries of a page, which the keyboard can go through: j and k, then Enter, c, d and r. */
export function DeliveryList({ webhook, deliveries, mayManage }: Props) {
  const [views, setViews] = useState<Record<string, View | undefined>>({});
  const list = useRef<HTMLOListElement>(null);
  const actions = useDeliveryActions(webhook, mayManage);
  const show = (id: string, view: View | undefined) => setViews((shown) => ({ ...shown, [id]: view }));
  const atFocused = (act: (delivery: Delivery) => unknown) => () => {
    const delivery = deliveries[focusedRow(list.current)];
    return delivery ? act(delivery) : false;
  };
  useShortcuts({
    previousDelivery: (event) => move(list.current, -1, event),
    nextDelivery: (event) => move(list.current, 1, event),
    copyCurl: atFocused(actions.copy),
    resend: atFocused((delivery) => (actions.resend ? actions.resend(delivery) : false)),
    compare: atFocused(({ delivery_id: id, attempts }) =>
      attempts.length > 1 ? show(id, views[id] === "comparison" ? "details" : "comparison") : false,
    ),
  });
  return (
    <ol ref={list} className={classes.list} aria-label={webhooks.log.title}>
      {deliveries.map((each) => (
        <li key={each.delivery_id}>
          <DeliveryRow
            delivery={each}
            actions={actions}
            view={views[each.delivery_id]}
            onView={(view) => show(each.delivery_id, view)}
          />
        </li>
      ))}
    </ol>
  );
}

const rowsOf = (list: HTMLOListElement | null): Element[] => [...(list?.children ?? [])];

const focusedRow = (list: HTMLOListElement | null): number =>
  rowsOf(list).findIndex((row) => row.contains(document.activeElement));

/** Focus the next or previous row. Letters work anywhere; arrows only from a row, because they scroll elsewhere. */
function move(list: HTMLOListElement | null, step: 1 | -1, { key }: KeyboardEvent): boolean {
  const at = focusedRow(list);
  const rows = rowsOf(list).map((row) => row.querySelector<HTMLElement>("button"));
  if (key.startsWith("Arrow") && document.activeElement !== rows[at]) return false;
  const next = at === -1 ? rows[0] : rows[at + step];
  next?.focus();
  return next !== undefined && next !== null;
}

/** What an expanded row shows. */
type View = "details" | "comparison";

interface DeliveryRowProps {
  delivery: Delivery;
  actions: DeliveryActions;
  /** Undefined if the row is closed. */
  view: View | undefined;
  onView: (view: View | undefined) => void;
}

/** A delivery in one line, which expands to its details. */
function DeliveryRow({ delivery, actions, view, onView }: DeliveryRowProps) {
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
