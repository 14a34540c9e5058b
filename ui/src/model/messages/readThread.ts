import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import type { Cursor, Message } from "./history";

type ThreadPage = Schemas["ThreadMessageList"];

/** Read all replies of a thread, oldest first. */
export async function readThread(roomId: string, rootId: string): Promise<Message[]> {
  const found: Message[] = [];
  let cursor: Cursor | null = {};
  while (cursor) {
    const params: { path: { room_id: string; parent_id: string }; query: Cursor & { limit: number } } = {
      path: { room_id: roomId, parent_id: rootId },
      query: { ...cursor, limit: 200 },
    };
    const page: ThreadPage = await unwrap(
      api.GET("/v2/rooms/{room_id}/threads/{parent_id}/messages", { params }),
    );
    found.push(...page.messages);
    cursor = page.has_more
      ? {
          cursor_sent_at: page.next_cursor_sent_at ?? undefined,
          cursor_message_id: page.next_cursor_message_id ?? undefined,
        }
      : null;
  }
  return found;
}
