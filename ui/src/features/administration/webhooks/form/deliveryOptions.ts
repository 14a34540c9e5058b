import type { Schemas } from "@/api/client";
import { pausesAsText, pausesOf } from "./pauses";
import type { Webhook } from "../queries";

type Ordering = Webhook["ordering"];
type Content = Required<
  Pick<Schemas["WebhookCreate"], "retry_schedule" | "time_limit" | "ordering" | "rate_limit">
>;

/** How deliveries go out, as it is entered. */
export interface DeliveryOptions {
  retries: string;
  limit: string;
  ordering: Ordering;
  rate: string;
}

export const MAX_LIMIT = "15";
export const ORDERINGS: readonly Ordering[] = ["none", "room"];
const MAX_RATE = 1000;

/** Return the options of a webhook, or of a new one. */
export const optionsOf = (webhook?: Webhook): DeliveryOptions => ({
  retries: webhook?.retry_schedule ? pausesAsText(webhook.retry_schedule) : "",
  limit: String(webhook?.time_limit ?? MAX_LIMIT),
  ordering: webhook?.ordering ?? "none",
  rate: webhook?.rate_limit ? String(webhook.rate_limit) : "",
});

/** Return attempts per second: null for no limit, undefined if the text is not a whole number within bounds. */
export function rateOf(text: string): number | null | undefined {
  if (!text.trim()) return null;
  const rate = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return rate >= 1 && rate <= MAX_RATE ? rate : undefined;
}

/** Return the options as the API takes them, or null if one is not valid. */
export function contentOf({ retries, limit, ordering, rate }: DeliveryOptions): Content | null {
  const pauses = pausesOf(retries);
  const rate_limit = rateOf(rate);
  if (pauses === null || rate_limit === undefined) return null;
  return {
    retry_schedule: retries.trim() ? pauses : null,
    time_limit: limit === MAX_LIMIT ? null : Number(limit),
    ordering,
    rate_limit,
  };
}
