import { readStorage, writeStorage } from "@/kit/data/storage";

const MAX = 12;
const name = (organizationId: string): string => `recent.${organizationId}`;
const recent = (organizationId: string): string[] =>
  readStorage(name(organizationId)).split(" ").filter(Boolean);

/** Remember that the room was opened in this browser. */
export function rememberRoom(organizationId: string, roomId: string): void {
  const others = recent(organizationId).filter((each) => each !== roomId);
  writeStorage(name(organizationId), [roomId, ...others].slice(0, MAX).join(" "));
}

/** Sort rooms by the last visit. The one that is open comes last, because the reader is there. */
export function recentFirst<T extends { room_id: string }>(organizationId: string, rooms: T[]): T[] {
  const [open, ...others] = recent(organizationId);
  const rank = ({ room_id }: T) => {
    if (room_id === open) return MAX + 1;
    return others.includes(room_id) ? others.indexOf(room_id) : MAX;
  };
  return rooms.toSorted((a, b) => rank(a) - rank(b));
}
