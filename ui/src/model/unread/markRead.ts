import { api } from "@/api/client";
import { unwrap } from "@/api/errors";
import { queryClient } from "@/api/queryClient";
import type { Message } from "@/model/messages/history";
import { unreadKey } from "@/model/queryKeys";
import { placeKey, roomIn, threadIn, withPlaceRead, type Unread } from "./counts";
import { suppressAutoRead, allowAutoRead } from "./visibility";

/** A room, or a thread in it. */
export interface Place {
  organizationId: string;
  roomId: string;
  rootId: string | null;
}

const marked = new Map<string, string>();

/** Mark a room or thread as read up to a message, unless it is already. */
export async function markRead(place: Place, messageId: string): Promise<void> {
  const key = unreadKey(place.organizationId);
  const { roomId, rootId } = place;
  const known = queryClient.getQueryData<Unread>(key);
  const isUnread = rootId ? threadIn(known, roomId, rootId) : roomIn(known, roomId);
  if (marked.get(placeKey(roomId, rootId)) === messageId && !isUnread) return;
  marked.set(placeKey(roomId, rootId), messageId);
  queryClient.setQueryData<Unread>(key, (all) => all && withPlaceRead(all, roomId, rootId));
  try {
    await put(place, messageId, false);
  } catch {
    marked.delete(placeKey(roomId, rootId)); // the next message tries again
  }
}

/** Mark a room or thread as read by hand. */
export async function readAll(place: Place, messageId: string): Promise<void> {
  allowAutoRead(placeKey(place.roomId, place.rootId));
  await markRead(place, messageId);
}

/** Mark a message and those after it in its room or thread as unread. They stay so until the reader leaves it. */
export async function markUnread(
  organizationId: string,
  message: Pick<Message, "room_id" | "thread_root_id" | "message_id">,
): Promise<void> {
  const place = { organizationId, roomId: message.room_id, rootId: message.thread_root_id };
  const key = placeKey(place.roomId, place.rootId);
  suppressAutoRead(key);
  marked.delete(key);
  await put(place, message.message_id, true);
  await queryClient.invalidateQueries({ queryKey: unreadKey(organizationId) });
}

async function put({ roomId, rootId }: Place, messageId: string, unread: boolean): Promise<void> {
  const body = { message_id: messageId, unread };
  if (rootId) {
    const path = { room_id: roomId, parent_id: rootId };
    await unwrap(api.PUT("/v2/rooms/{room_id}/threads/{parent_id}/read-marker", { params: { path }, body }));
  } else {
    await unwrap(api.PUT("/v2/rooms/{room_id}/read-marker", { params: { path: { room_id: roomId } }, body }));
  }
}

export const forgetMarks = (): void => marked.clear();
