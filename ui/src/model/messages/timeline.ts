import type { Cursor, Message } from "./history";

/**
 * A stretch of a room's history, oldest first. Ids of one room grow with time, so their order is the order.
 * `change` says how it came about: a list that grew at its beginning is scrolled differently from one that grew at its end.
 */
export interface Timeline {
  messages: Message[];
  older: Cursor | null;
  atNewest: boolean;
  change: "opened" | "older" | "other";
}

export type Stretch = Pick<Timeline, "messages" | "older" | "atNewest">;

export const NOTHING: Timeline = { messages: [], older: null, atNewest: true, change: "opened" };

/** Merge two lists in order, each message once; where both have a message, the one from `newer` counts. */
export function merged(known: Message[], newer: Message[]): Message[] {
  if (newer.length === 0) return known;
  const byId = new Map(known.map((each) => [each.message_id, each]));
  for (const each of newer) byId.set(each.message_id, fresher(byId.get(each.message_id), each));
  return [...byId.values()].sort((a, b) => (a.message_id < b.message_id ? -1 : 1));
}

/** Return the later of two states of a message: a tombstone stays, an edit does not go back. */
export function fresher(known: Message | undefined, incoming: Message): Message {
  if (!known) return incoming;
  if (known.status === "DELETED" && incoming.status !== "DELETED") return known;
  return (known.edited_at ?? "") > (incoming.edited_at ?? "") && incoming.status !== "DELETED"
    ? known
    : incoming;
}

export function withOlder(timeline: Timeline, messages: Message[], older: Cursor | null): Timeline {
  return { ...timeline, messages: merged(messages, timeline.messages), older, change: "older" };
}

export function withNewer(timeline: Timeline, messages: Message[], atNewest: boolean): Timeline {
  return { ...timeline, messages: merged(timeline.messages, messages), atNewest, change: "other" };
}

/** Apply a new or changed message. A new one is appended only where the timeline shows the room's end. */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  const index = timeline.messages.findLastIndex((each) => each.message_id === message.message_id);
  const known = timeline.messages[index];
  if (known) {
    const messages = timeline.messages.with(index, fresher(known, message));
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
 * The timeline after its place was read again: what is new or has changed is put in, and the timeline itself where
 * nothing has. Null where so much came that there is a gap between the two.
 */
export function withAgain(timeline: Timeline, found: Stretch): Timeline | null {
  const [first] = found.messages;
  const last = timeline.messages.at(-1);
  if (!first) return timeline;
  if (!last) return { ...found, change: "other" };
  if (last.message_id < first.message_id) return null;
  const known = new Map(timeline.messages.map((each) => [each.message_id, JSON.stringify(each)]));
  const fresh = found.messages.filter((each) => known.get(each.message_id) !== JSON.stringify(each));
  if (fresh.length === 0) return timeline;
  return { ...timeline, messages: merged(timeline.messages, fresh), change: "other" };
}

/** Remove messages at the newer end, so that reading far back does not keep them all; they are read again on the way back. */
export function trimmed(timeline: Timeline, maxMessages: number): Timeline {
  if (timeline.messages.length <= maxMessages) return timeline;
  return { ...timeline, messages: timeline.messages.slice(0, maxMessages), atNewest: false, change: "other" };
}
