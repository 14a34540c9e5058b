import { readStorage } from "@/kit/data/storage";
import type { UnreadRoom } from "@/model/unread/counts";
import type { Room, SpaceWithRooms } from "./queries";

/** Return the name under which the browser stores that the sidebar shows only the unread rooms of a space. */
export const closedName = (spaceId: string): string => `closed.${spaceId}`;

/** Return the rooms in the order of the sidebar, those of collapsed spaces only where they are unread. */
export function shownRooms(spaces: SpaceWithRooms[], unread: UnreadRoom[]): Room[] {
  return spaces.flatMap(({ space, rooms }) => {
    const isClosed = readStorage(closedName(space.space_id)) !== "";
    return rooms.filter((each) => each.archived_at === null && (!isClosed || isUnread(each, unread)));
  });
}

export const isUnread = (room: Room, unread: UnreadRoom[]): boolean =>
  unread.some((each) => each.room_id === room.room_id);

/** Return the next (1) or previous (-1) of the rooms that `isWanted` accepts, starting again at the other end. */
export function neighbor<T extends { room_id: string }>(
  rooms: T[],
  currentId: string | null,
  step: 1 | -1,
  isWanted: (room: T) => boolean = () => true,
): T | undefined {
  const at = rooms.findIndex((each) => each.room_id === currentId);
  const next = rooms.slice(at + 1);
  const previous = rooms.slice(0, Math.max(at, 0));
  const inOrder = step === 1 ? [...next, ...previous] : [...previous.reverse(), ...next.reverse()];
  return inOrder.find(isWanted);
}
