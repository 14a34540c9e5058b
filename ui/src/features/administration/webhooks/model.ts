import type { SpaceWithRooms } from "@/model/rooms/queries";
import { webhooks } from "@/texts/webhooks";
import type { Delivery, DeliveryStatus, Subscription, Webhook } from "./queries";

export type Tone = "good" | "bad" | "warn" | "quiet";

const labels = webhooks;
const SPACE = "WEBHOOK_SUBJECT_TYPE_SPACE";
const ROOM = "WEBHOOK_SUBJECT_TYPE_ROOM";

export const EVENTS = Object.keys(labels.events) as Subscription["subscription_type"][];
export const DELIVERY_STATUSES: DeliveryStatus[] = [
  "DELIVERY_STATUS_SUCCEEDED",
  "DELIVERY_STATUS_FAILED",
  "DELIVERY_STATUS_RETRYING",
  "DELIVERY_STATUS_PENDING",
  "DELIVERY_STATUS_MISSED",
];

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

/** Return the name of a subscription's room or space, if it is loaded. */
export function subjectName(
  subscription: Subscription,
  spaces: SpaceWithRooms[],
  deleted: string[] = [],
): string {
  if (deleted.includes(subscription.subject_id)) return labels.form.deleted[subscription.subject_type];
  const found =
    subscription.subject_type === SPACE
      ? spaces.find(({ space }) => space.space_id === subscription.subject_id)?.space.name
      : spaces.flatMap(({ rooms }) => rooms).find((each) => each.room_id === subscription.subject_id)?.name;
  if (found === undefined) return labels.form.unreached;
  return subscription.subject_type === SPACE ? labels.form.wholeSpace(found) : found;
}

/** Convert a room or space to the value of an option, and back. */
export const subjectValue = ({
  subject_type,
  subject_id,
}: Pick<Subscription, "subject_type" | "subject_id">) => (subject_id ? `${subject_type}/${subject_id}` : "");

export function subjectOf(value: string): Pick<Subscription, "subject_type" | "subject_id"> {
  const [type, id = ""] = value.split("/");
  return { subject_type: type === SPACE ? SPACE : ROOM, subject_id: id };
}

/** Return the options for a subscription: each space, then its rooms. */
export const subjectChoices = (spaces: SpaceWithRooms[]) =>
  spaces.map(({ space, rooms }) => ({
    group: space.name,
    items: [
      {
        value: subjectValue({ subject_type: SPACE, subject_id: space.space_id }),
        label: labels.form.wholeSpace(space.name),
      },
      ...rooms.map((room) => ({
        value: subjectValue({ subject_type: ROOM, subject_id: room.room_id }),
        label: room.name,
      })),
    ],
  }));

/** Parse headers, one per line; null if a line is not a header. */
export function headersOf(text: string): Record<string, string> | null {
  const lines = text.split("\n").filter((line) => line.trim());
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line));
  if (pairs.some((each) => each === null)) return null;
  return Object.fromEntries(pairs.map((each) => [each?.[1] ?? "", each?.[2] ?? ""]));
}

/** Indent JSON; return anything else unchanged. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Convert the local time of a field to the API's format. */
export function momentOf(local: string | undefined): string | undefined {
  const at = local ? new Date(local) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
