import { useNavigate } from "@tanstack/react-router";
import { useShortcuts } from "@/kit/input/shortcuts";
import { isUnread, neighbor, shownRooms } from "@/model/rooms/order";
import { useSpacesWithRooms, type Room } from "@/model/rooms/queries";
import { useUnread } from "@/model/unread/useUnread";

/** Move between rooms, in the order of the sidebar, with the keyboard. */
export function useRoomShortcuts(organizationId: string, roomId: string | null): void {
  const { spaces } = useSpacesWithRooms(organizationId);
  const { data } = useUnread(organizationId);
  const unread = data?.rooms ?? [];
  const navigate = useNavigate();
  const go = (step: 1 | -1, isWanted?: (room: Room) => boolean) => {
    const room = neighbor(shownRooms(spaces, unread), roomId, step, isWanted);
    if (!room) return false;
    const params = { organizationId, roomId: room.room_id };
    void navigate({ to: "/o/$organizationId/rooms/$roomId", params });
    return true;
  };
  const hasNews = (room: Room) => isUnread(room, unread);
  useShortcuts({
    previousRoom: () => go(-1),
    nextRoom: () => go(1),
    previousUnread: () => go(-1, hasNews),
    nextUnread: () => go(1, hasNews),
  });
}
