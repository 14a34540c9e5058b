import type { Schemas } from "@/api/client";

export type Message = Schemas["Message"];
export type RoomPage = Schemas["RoomMessageList"];

export interface Cursor {
  cursor_sent_at?: string;
  cursor_message_id?: string;
}

/** Reads a page of a room's messages, newest first. */
export type ReadPage = (cursor: Cursor) => Promise<RoomPage>;

/** Return the cursor for older messages; null at the beginning of the room (docs/contract.md#room-messages). */
export function olderThan(page: RoomPage, roomCreatedAt: string): Cursor | null {
  if (page.shard_has_more) {
    return {
      cursor_sent_at: page.next_cursor_sent_at ?? undefined,
      cursor_message_id: page.next_cursor_message_id ?? undefined,
    };
  }
  const window = page.next_partition_cursor;
  return Date.parse(window) < Date.parse(roomCreatedAt) ? null : { cursor_sent_at: window };
}

export interface Older {
  messages: Message[];
  older: Cursor | null;
}

/** Return the next older messages, oldest first, skipping empty windows. */
export async function readOlder(read: ReadPage, from: Cursor, roomCreatedAt: string): Promise<Older> {
  let cursor: Cursor | null = from;
  while (cursor) {
    const page: RoomPage = await read(cursor);
    cursor = olderThan(page, roomCreatedAt);
    if (page.messages.length > 0) return { messages: page.messages.toReversed(), older: cursor };
  }
  return { messages: [], older: null };
}
