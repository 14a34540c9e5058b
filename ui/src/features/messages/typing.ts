import { api } from "@/api/client";

const EVERY_MS = 3000;
let last = { roomId: "", at: 0 };

/** Others see that one is typing; told every few seconds while one is. */
export function tellOfTyping(roomId: string, now = Date.now()): void {
  if (last.roomId === roomId && now - last.at < EVERY_MS) return;
  last = { roomId, at: now };
  // It is of no interest a moment later, so a failure is not either.
  void api
    .POST("/v2/rooms/{room_id}/typing", { params: { path: { room_id: roomId } } })
    .catch(() => undefined);
}
