import type { Cursor, Message, RoomPage } from "./history";

/** The server's default window in milliseconds. */
export const W = 10 * 86_400_000;
const BEGAN = Math.floor(Date.parse("2024-01-01T00:00:00Z") / W) * W;

export function aMessage(at: number, count = 0, more: Partial<Message> = {}): Message {
  const sent_at = new Date(BEGAN + at).toISOString();
  const message_id = `${(BEGAN + at).toString(16).padStart(12, "0")}-${count.toString().padStart(4, "0")}`;
  return {
    message_id,
    room_id: "room",
    user_id: "ada",
    sender_type: "person",
    parent_id: null,
    thread_root_id: null,
    status: "SENT",
    text: "",
    blocks: [],
    mentions: [],
    attachments: [],
    reactions: [],
    reply_count: 0,
    last_reply_at: null,
    sent_at,
    created_at: sent_at,
    edited_at: null,
    deleted_at: null,
    ...more,
  };
}

/** Return a room that responds like the server: pages within windows, newest first. */
export function aRoom(times: number[], limit: number) {
  const messages = times.map((at, index) => aMessage(at, index));
  const now = BEGAN + Math.max(0, ...times) + 2.5 * W;
  const read = (cursor: Cursor): Promise<RoomPage> => {
    const at = Math.min(cursor.cursor_sent_at ? Date.parse(cursor.cursor_sent_at) : now, now);
    const start = Math.floor(at / W) * W;
    const inWindow = messages.filter((each) => {
      const sent = Date.parse(each.sent_at);
      return (
        sent >= start &&
        sent < start + W &&
        (!cursor.cursor_message_id || each.message_id < cursor.cursor_message_id)
      );
    });
    const page = inWindow.slice(-limit).reverse();
    const last = page.at(-1);
    const older = messages.findLast((each) => Date.parse(each.sent_at) < start);
    const next = older ? Math.floor(Date.parse(older.sent_at) / W) * W + W - 1 : BEGAN - 1;
    return Promise.resolve({
      messages: page,
      shard_has_more: inWindow.length > page.length,
      next_cursor_sent_at: last?.sent_at ?? cursor.cursor_sent_at ?? null,
      next_cursor_message_id: last?.message_id ?? cursor.cursor_message_id ?? null,
      next_partition_cursor: new Date(next).toISOString(),
    });
  };
  return { messages, read, now, createdAt: new Date(BEGAN).toISOString() };
}
