import type { Cursor, Message } from "./history";

/**
 * A contiguous range of a room's messages, oldest first. Ids grow with time, so they give the order. `change`
 * records what changed last, which decides how the list scrolls.
 */
export interface Timeline {
  messages: Message[];
  older: Cursor | null;
  atNewest: boolean;
  change: "opened" | "older" | "other";
}

export type TimelineRange = Pick<Timeline, "messages" | "older" | "atNewest">;

export const EMPTY: Timeline = { messages: [], older: null, atNewest: true, change: "opened" };

/** Merge two lists in order, each message once; where both have a message, the one from `newer` counts. */
export function merge(known: Message[], newer: Message[]): Message[] {
  if (newer.length === 0) return known;
  const byId = new Map(known.map((each) => [each.message_id, each]));
  for (const each of newer) byId.set(each.message_id, newerOf(byId.get(each.message_id), each));
  return [...byId.values()].sort((a, b) => (a.message_id < b.message_id ? -1 : 1));
}

/** Return the newer of two versions of a message: a tombstone stays, and an older version never replaces an edit. */
export function newerOf(known: Message | undefined, incoming: Message): Message {
  if (!known) return incoming;
  if (known.status === "DELETED" && incoming.status !== "DELETED") return known;
  return (known.edited_at ?? "") > (incoming.edited_at ?? "") && incoming.status !== "DELETED"
    ? known
    : incoming;
}

export function withOlder(timeline: Timeline, messages: Message[], older: Cursor | null): Timeline {
  return { ...timeline, messages: merge(messages, timeline.messages), older, change: "older" };
}

export function withNewer(timeline: Timeline, messages: Message[], atNewest: boolean): Timeline {
  return { ...timeline, messages: merge(timeline.messages, messages), atNewest, change: "other" };
}

/** Apply a new or changed message. A new one is appended only where the timeline shows the room's end. */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  const index = timeline.messages.findLastIndex((each) => each.message_id === message.message_id);
  const known = timeline.messages[index];
  if (known) {
    const messages = timeline.messages.with(index, newerOf(known, message));
    return { ...timeline, messages, change: "other" };
  }
  const last = timeline.messages.at(-1);
  const isNew = timeline.atNewest && (!last || last.message_id < message.message_id);
  if (!isNew) return timeline;
  return { ...timeline, messages: [...timeline.messages, message], change: "other" };
}

/** Apply the messages received while the timeline was loading; `change` stays. */
export function withMessages(timeline: Timeline, received: Message[]): Timeline {
  const after = received.reduce(withMessage, timeline);
  return after === timeline ? timeline : { ...after, change: timeline.change };
}

/**
 * Merge a refetched range into the timeline. Return the same object if nothing changed, or null if there is a gap
 * between the two.
 */
export function mergeRefetched(timeline: Timeline, found: TimelineRange): Timeline | null {
  const [first] = found.messages;
  const last = timeline.messages.at(-1);
  if (!first) return timeline;
  if (!last) return { ...found, change: "other" };
  if (last.message_id < first.message_id) return null;
  const known = new Map(timeline.messages.map((each) => [each.message_id, JSON.stringify(each)]));
  const fresh = found.messages.filter((each) => known.get(each.message_id) !== JSON.stringify(each));
  if (fresh.length === 0) return timeline;
  return { ...timeline, messages: merge(timeline.messages, fresh), change: "other" };
}

/**
 * Remove messages at the newer end, to limit the memory of reading far back. They are fetched again on the way back.
 */
export function trim(timeline: Timeline, maxMessages: number): Timeline {
  if (timeline.messages.length <= maxMessages) return timeline;
  return { ...timeline, messages: timeline.messages.slice(0, maxMessages), atNewest: false, change: "other" };
}
