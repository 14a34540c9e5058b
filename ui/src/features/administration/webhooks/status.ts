import { webhooks } from "@/texts/webhooks";
import type { Tone } from "../StatusTag";
import type { Delivery, DeliveryStatus, Webhook } from "./queries";

export const DELIVERY_STATUSES: DeliveryStatus[] = [
  "DELIVERY_STATUS_SUCCEEDED",
  "DELIVERY_STATUS_FAILED",
  "DELIVERY_STATUS_RETRYING",
  "DELIVERY_STATUS_PENDING",
  "DELIVERY_STATUS_MISSED",
];

/** Return the status as people see it: an active webhook whose events fail is failing. */
export function statusText({ status, failure_count }: Webhook): string {
  const fails = status === "WEBHOOK_STATUS_ACTIVE" && failure_count > 0;
  return fails ? webhooks.withFailures : webhooks.statuses[status];
}

export function toneOfWebhook(webhook: Webhook): Tone {
  if (webhook.status === "WEBHOOK_STATUS_PAUSED") return "bad";
  if (webhook.status === "WEBHOOK_STATUS_INACTIVE") return "quiet";
  return webhook.failure_count > 0 ? "warn" : "good";
}

const TONES: Record<DeliveryStatus, Tone> = {
  DELIVERY_STATUS_SUCCEEDED: "good",
  DELIVERY_STATUS_FAILED: "bad",
  DELIVERY_STATUS_RETRYING: "warn",
  DELIVERY_STATUS_PENDING: "quiet",
  DELIVERY_STATUS_MISSED: "quiet",
};

export const toneOfDelivery = (delivery: Delivery): Tone => TONES[delivery.status];
