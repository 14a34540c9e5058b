import { useMemo, useState } from "react";
import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";
import type { RoomContextValue } from "@/model/messages/roomContext";
import { useProfile } from "@/model/people/queries";
import type { Room } from "@/model/rooms/queries";
import { useSpaces } from "@/model/spaces/queries";
import { markUnread } from "@/model/unread/markRead";

/** Return the context of a room's messages. `openThread` is the same function while the room is shown. */
export function useCreateRoomContext(room: Room, openThread: (rootId: string) => void): RoomContextValue {
  const personId = useProfile().person_id;
  const { data: spaces } = useSpaces(room.organization_id);
  const role = spaces?.find((each) => each.space_id === room.space_id)?.role;
  const [editingId, setEditingId] = useState<string | null>(null);
  return useMemo(
    () => ({
      room,
      personId,
      canWrite: room.archived_at === null && (role === "member" || role === "admin"),
      canModerate: role === "admin",
      editingId,
      edit: setEditingId,
      openThread: (message) => openThread(message.thread_root_id ?? message.message_id),
      markUnread: (message) =>
        void markUnread(room.organization_id, message).catch((error: unknown) =>
          showNotice(messageOf(error), { isError: true }),
        ),
    }),
    // openThread works the same as long as the room is shown
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [room, personId, role, editingId],
  );
}
