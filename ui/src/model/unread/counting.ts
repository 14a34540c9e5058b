import type { Schemas } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { clearTyping } from "@/model/messages/typing";
import type { Message } from "@/model/messages/history";
import { unreadKey } from "@/model/queryKeys";

export type UnreadRoom = Schemas["UnreadRoom"];

interface Reader {
  organizationId: string;
  personId: string;
  roomId: () => string | null;
}

/** Count a new message as unread, unless the reader sent it or is looking at its room. */
export function countMessage(message: Message, reader: Reader): void {
  clearTyping(message.room_id, message.user_id);
  const key = unreadKey(reader.organizationId);
  const isSeen = reader.roomId() === message.room_id && document.visibilityState === "visible";
  if (message.user_id === reader.personId || isSeen) return;
  const known = queryClient.getQueryData<UnreadRoom[]>(key);
  const counted = known && withMessageCounted(known, message, reader.personId);
  if (counted) queryClient.setQueryData(key, counted);
  else void queryClient.invalidateQueries({ queryKey: key });
}

/** The counts with one more message; null if its room is not among them. */
export function withMessageCounted(
  known: UnreadRoom[],
  message: Message,
  personId: string,
): UnreadRoom[] | null {
  const room = known.find((each) => each.room_id === message.room_id);
  if (!room) return null;
  if (room.last_message_id >= message.message_id) return known;
  const counted: UnreadRoom = {
    ...room,
    unread_count: room.capped ? room.unread_count : Math.min(room.unread_count + 1, 100),
    capped: room.capped || room.unread_count >= 100,
    mention_count: room.mention_count + (message.mentions.includes(personId) ? 1 : 0),
    last_message_id: message.message_id,
  };
  return known.map((each) => (each === room ? counted : each));
}

/** Set the room's counts to zero. */
export function withRoomRead(known: UnreadRoom[] | undefined, roomId: string): UnreadRoom[] | undefined {
  return known?.filter((each) => each.room_id !== roomId);
}
