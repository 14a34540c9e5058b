import type { Schemas } from "@/api/client";
import type { Message } from "@/model/messages/history";

export type UnreadRoom = Schemas["UnreadRoom"];
export type UnreadThread = Schemas["UnreadThread"];

/** What a reader has not read: messages in rooms, and replies in the threads that they take part in. */
export interface Unread {
  rooms: UnreadRoom[];
  threads: UnreadThread[];
}

const MAX_COUNTED = 100;

/** Identify a room, or a thread in it: ids of messages are unique only within their room. */
export const placeKey = (roomId: string, rootId: string | null): string =>
  rootId ? `${roomId} ${rootId}` : roomId;

/** Return the counts with one more message; null if its room or thread is not among them. */
export function withMessageCounted(known: Unread, message: Message, personId: string): Unread | null {
  if (message.thread_root_id !== null) {
    const thread = threadIn(known, message.room_id, message.thread_root_id);
    if (!thread) return null;
    if (thread.last_reply_at >= message.sent_at) return known;
    const counted = { ...thread, ...oneMore(thread, message, personId), last_reply_at: message.sent_at };
    return { ...known, threads: [counted, ...known.threads.filter((each) => each !== thread)] };
  }
  const room = roomIn(known, message.room_id);
  if (!room) return null;
  if (room.last_message_id >= message.message_id) return known;
  const counted = { ...room, ...oneMore(room, message, personId), last_message_id: message.message_id };
  return { ...known, rooms: known.rooms.map((each) => (each === room ? counted : each)) };
}

interface Counts {
  unread_count: number;
  capped: boolean;
  mention_count: number;
}

function oneMore(counts: Counts, message: Message, personId: string): Counts {
  return {
    unread_count: Math.min(counts.unread_count + 1, MAX_COUNTED),
    capped: counts.capped || counts.unread_count >= MAX_COUNTED,
    mention_count: counts.mention_count + (message.mentions.includes(personId) ? 1 : 0),
  };
}

/** Set the counts of a room or of a thread to zero. */
export function withPlaceRead(known: Unread, roomId: string, rootId: string | null): Unread {
  return rootId
    ? { ...known, threads: known.threads.filter((each) => each !== threadIn(known, roomId, rootId)) }
    : { ...known, rooms: known.rooms.filter((each) => each.room_id !== roomId) };
}

export const roomIn = (known: Unread | undefined, roomId: string): UnreadRoom | undefined =>
  known?.rooms.find((each) => each.room_id === roomId);

export const threadIn = (
  known: Unread | undefined,
  roomId: string,
  rootId: string,
): UnreadThread | undefined =>
  known?.threads.find((each) => each.room_id === roomId && each.thread_root_id === rootId);

/** Return whether a message is among the unread ones of its room or thread. */
export function isUnread(known: Unread | undefined, message: Message): boolean {
  const place = message.thread_root_id
    ? threadIn(known, message.room_id, message.thread_root_id)
    : roomIn(known, message.room_id);
  return place !== undefined && message.message_id >= place.first_unread_message_id;
}

export interface Totals {
  mentions: number;
  /** Threads with unread replies. */
  threads: number;
  /** Of the mentions, those in threads. */
  inThreads: number;
  /** What is meant for the reader: mentions, and threads with new replies. */
  direct: number;
  hasMore: boolean;
}

export function totalsOf(known: Unread): Totals {
  const sum = (counts: number[]): number => counts.reduce((all, each) => all + each, 0);
  const ofRooms = sum(known.rooms.map((each) => each.mention_count));
  const inThreads = sum(known.threads.map((each) => each.mention_count));
  return {
    mentions: ofRooms + inThreads,
    threads: known.threads.length,
    inThreads,
    direct: ofRooms + known.threads.length,
    hasMore: known.rooms.length > 0 || known.threads.length > 0,
  };
}
