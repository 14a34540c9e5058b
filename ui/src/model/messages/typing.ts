import { api } from "@/api/client";
import { Store } from "@/kit/data/store";

const DURATION_MS = 6000;

/** Who is typing in which room, and until when to show it. */
export const typing = new Store<Record<string, Record<string, number>>>({});

export function addTyping(roomId: string, userId: string, now = Date.now()): void {
  typing.update((known) => ({
    ...known,
    [roomId]: { ...stillTyping(known[roomId], now), [userId]: now + DURATION_MS },
  }));
  setTimeout(() => {
    typing.update((known) => ({ ...known, [roomId]: stillTyping(known[roomId], Date.now()) }));
  }, DURATION_MS + 50);
}

/** Stop showing a person as typing once their message arrives. */
export function clearTyping(roomId: string, userId: string): void {
  const others = Object.entries(typing.get()[roomId] ?? {}).filter(([each]) => each !== userId);
  typing.update((known) => ({ ...known, [roomId]: Object.fromEntries(others) }));
}

function stillTyping(known: Record<string, number> | undefined, now: number): Record<string, number> {
  return Object.fromEntries(Object.entries(known ?? {}).filter(([, until]) => until > now));
}

const EVERY_MS = 3000;
let last = { roomId: "", at: 0 };

/** Report to others that the user is typing, at most every few seconds. */
export function sendTyping(roomId: string, now = Date.now()): void {
  if (last.roomId === roomId && now - last.at < EVERY_MS) return;
  last = { roomId, at: now };
  // A failure does not matter, because the report is outdated a moment later.
  void api
    .POST("/v2/rooms/{room_id}/typing", { params: { path: { room_id: roomId } } })
    .catch(() => undefined);
}
