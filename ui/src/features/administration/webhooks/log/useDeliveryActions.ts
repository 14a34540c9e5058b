import { copy } from "@/kit/text/clipboard";
import { useChange } from "@/kit/data/useChange";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import { resend } from "../actions";
import { curlOf } from "./curl";
import { webhookKeys, type Attempt, type Delivery, type Webhook } from "../queries";

export interface DeliveryActions {
  /** Copies an attempt, the latest unless given. Returns false if there is none, or its body is not shown. */
  copy: (delivery: Delivery, attempt?: Attempt) => boolean;
  /** Absent for those who may not, and while the webhook is not active. */
  resend?: (delivery: Delivery) => void;
  isSending: boolean;
}

/** Return what can be done with the deliveries of a webhook. */
export function useDeliveryActions(webhook: Webhook, mayManage: boolean): DeliveryActions {
  const again = useChange({
    change: (delivery: Delivery) => resend(webhook, delivery.delivery_id),
    invalidates: webhookKeys,
    done: webhooks.log.resent,
  });
  return {
    copy(delivery, attempt = delivery.attempts.at(-1)) {
      if (!attempt || !delivery.request_body) return false;
      void copy(curlOf(webhook, delivery, attempt), workbench.curl.done(attempt.attempt));
      return true;
    },
    ...(mayManage && webhook.status === "WEBHOOK_STATUS_ACTIVE" && { resend: again.mutate }),
    isSending: again.isPending,
  };
}
