import type { SpaceWithRooms } from "@/model/rooms/queries";
import { webhookEventGroups } from "@/texts/webhookEvents";
import { webhooks } from "@/texts/webhooks";
import type { EventType, Subscription } from "../queries";

const labels = webhooks;
const SPACE = "WEBHOOK_SUBJECT_TYPE_SPACE";
const ROOM = "WEBHOOK_SUBJECT_TYPE_ROOM";
const ORGANIZATION = "WEBHOOK_SUBJECT_TYPE_ORGANIZATION";

type SubscriptionType = Subscription["subscription_type"];
type Subject = Pick<Subscription, "subject_type" | "subject_id">;

/** What a subscription can include. */
export const MESSAGE = "message";

const EVENTS = Object.keys(labels.events) as SubscriptionType[];
const PREFIX = "WEBHOOK_SUBSCRIPTION_TYPE_";

/** Return the options for an event, by what the events are about. */
export function eventChoices() {
  const groups = new Map<string, { value: SubscriptionType; label: string }[]>();
  for (const each of EVENTS) {
    const [, group = ""] =
      Object.entries(webhookEventGroups).find(([start]) => each.startsWith(PREFIX + start)) ?? [];
    groups.set(group, [...(groups.get(group) ?? []), { value: each, label: labels.events[each] }]);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}

/** Return whether a subscription may be limited to rooms of one type. */
export const mayFilter = ({ subject_type }: Subscription, type: EventType | undefined): boolean =>
  subject_type === SPACE && (type?.filters.includes("room_type") ?? false);

/** Return a subscription with another event. It keeps its subject only if that has such events. */
export function withEvent(subscription: Subscription, type: EventType, organizationId: string): Subscription {
  const subscription_type = type.subscription_type ?? subscription.subscription_type;
  const changed = { ...subscription, subscription_type, ...subjectFor(subscription, type, organizationId) };
  const other = Object.keys(changed.filter ?? {}).filter(
    (name) => !type.filters.includes(name) || (name === "room_type" && !mayFilter(changed, type)),
  );
  const fitting = withFilter(changed, Object.fromEntries(other.map((name) => [name, undefined])));
  return hasText(type) ? fitting : withMessage(fitting, false);
}

/** Return whether the events of a type are about the text of a message, which they may include. */
export const hasText = (type: EventType | undefined): boolean => type?.filters.includes("words") ?? false;

type Filter = NonNullable<Subscription["filter"]>;
type FilterChange = { [Name in keyof Filter]: Filter[Name] | undefined };

/** Return a subscription with other fields of its filter; empty ones are left out. */
export function withFilter(subscription: Subscription, changed: FilterChange): Subscription {
  const isSet = ([, value]: [string, unknown]) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  const fields = Object.entries({ ...subscription.filter, ...changed }).filter(isSet);
  return { ...subscription, filter: fields.length > 0 ? (Object.fromEntries(fields) as Filter) : null };
}

/** Return a subscription whose events include the message, or do not. */
export function withMessage(subscription: Subscription, isIncluded: boolean): Subscription {
  const { subject_type, subject_id, subscription_type, filter = null } = subscription;
  const thin = { subject_type, subject_id, subscription_type, filter };
  return isIncluded ? { ...thin, include: [MESSAGE] } : thin;
}

export const hasMessageFilter = ({ filter, include }: Subscription): boolean =>
  include !== undefined ||
  Object.entries(filter ?? {}).some(([name, value]) => name !== "room_type" && value);

export const MAX_WORDS = 10;

/** Return the words of a field, with spaces or commas between them. */
export const wordsOf = (text: string): string[] => [
  ...new Set(text.split(/\s+/).flatMap((each) => each.replace(/^,+|,+$/g, "") || [])),
];

/** Return what a subscription chooses and includes, in words. */
export function filterOf({ filter, include }: Subscription): string[] {
  const { filters } = labels.form;
  return [
    filter?.sender_type && filters.senders[filter.sender_type],
    filter?.thread && filters.places[filter.thread],
    filter?.words && filters.withWords(filter.words),
    filter?.sender_ids && filters.bySenders(filter.sender_ids.length),
    filter?.not_sender_ids && filters.notBySenders(filter.not_sender_ids.length),
    filter?.mentions && filters.mentioning(filter.mentions.length),
    include && filters.included,
  ].flatMap((each) => each || []);
}

function subjectFor({ subject_type, subject_id }: Subject, type: EventType, organizationId: string): Subject {
  const types = type.subject_types;
  if (types.includes(subject_type)) return { subject_type, subject_id };
  return { subject_type: types[0] ?? SPACE, subject_id: types[0] === ORGANIZATION ? organizationId : "" };
}

/** Return the name of a subscription's room or space, if it is loaded. */
export function subjectName(
  subscription: Subscription,
  spaces: SpaceWithRooms[],
  deleted: string[] = [],
): string {
  if (subscription.subject_type === ORGANIZATION) return labels.form.organization;
  if (deleted.includes(subscription.subject_id)) return labels.form.deleted[subscription.subject_type];
  const found =
    subscription.subject_type === SPACE
      ? spaces.find(({ space }) => space.space_id === subscription.subject_id)?.space.name
      : spaces.flatMap(({ rooms }) => rooms).find((each) => each.room_id === subscription.subject_id)?.name;
  if (found === undefined) return labels.form.unreached;
  return subscription.subject_type === SPACE ? labels.form.wholeSpace(found) : found;
}

/** Convert a room or space to the value of an option, and back. */
export const subjectValue = ({ subject_type, subject_id }: Subject) =>
  subject_id ? `${subject_type}/${subject_id}` : "";

export function subjectOf(value: string): Subject {
  const [type, id = ""] = value.split("/");
  return {
    subject_type: [SPACE, ORGANIZATION].find((each) => each === type) ?? ROOM,
    subject_id: id,
  } as Subject;
}

/** Return the options for a subscription: each space, then its rooms; or the organization. */
export function subjectChoices(
  types: readonly Subscription["subject_type"][],
  spaces: SpaceWithRooms[],
  organizationId: string,
) {
  const option = (subject_type: Subscription["subject_type"], subject_id: string, label: string) => ({
    value: subjectValue({ subject_type, subject_id }),
    label,
  });
  if (types.includes(ORGANIZATION)) return [option(ORGANIZATION, organizationId, labels.form.organization)];
  return spaces.map(({ space, rooms }) => ({
    group: space.name,
    items: [
      option(SPACE, space.space_id, labels.form.wholeSpace(space.name)),
      ...(types.includes(ROOM) ? rooms.map((room) => option(ROOM, room.room_id, room.name)) : []),
    ],
  }));
}
