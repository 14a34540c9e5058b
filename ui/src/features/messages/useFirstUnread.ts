import { useState } from "react";
import type { Room } from "@/features/rooms/queries";
import { useUnread } from "@/features/unread/useUnread";

/** Where "new" began when the room was opened; it stays there while one reads. */
export function useFirstUnread(room: Room): string | null {
  const { data } = useUnread(room.organization_id);
  const [seen, see] = useState<{ roomId: string; first: string | null } | null>(null);
  const first = data?.find((each) => each.room_id === room.room_id)?.first_unread_message_id ?? null;
  if (data && seen?.roomId !== room.room_id) see({ roomId: room.room_id, first });
  return seen?.roomId === room.room_id ? seen.first : first;
}
