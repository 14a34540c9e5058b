import { queryClient } from "@/api/queryClient";
import { merged } from "./timeline";
import { TimelineStore } from "./timelineStore";
import type { Message } from "./walk";

const MOST_ROOMS = 8;
const stores = new Map<string, TimelineStore>();

/** The timeline of a room; the rooms seen last keep theirs. */
export function timelineOf(room: { room_id: string; created_at: string }): TimelineStore {
  const store = stores.get(room.room_id) ?? new TimelineStore(room.room_id, room.created_at);
  stores.delete(room.room_id);
  stores.set(room.room_id, store);
  for (const oldest of [...stores.keys()].slice(0, -MOST_ROOMS)) stores.delete(oldest);
  return store;
}

export const threadKey = (roomId: string, rootId: string) => ["thread", roomId, rootId] as const;

/** A message is new or has changed: every place that shows it is told. */
export function tell(message: Message): void {
  const { room_id, thread_root_id, message_id } = message;
  if (thread_root_id === null) {
    stores.get(room_id)?.told(message);
    queryClient.setQueryData(["message", room_id, message_id], message);
    return;
  }
  queryClient.setQueryData<Message[]>(threadKey(room_id, thread_root_id), (known) => known && merged(known, [message]));
}

/** What is shown may have missed something: the shown room is read anew, the others when they are shown again. */
export function readAnew(shownRoomId: string | null): void {
  for (const [roomId, store] of stores) {
    if (roomId === shownRoomId) void store.openNewest({ anew: true });
    else stores.delete(roomId);
  }
}

export function forgetTimelines(): void {
  stores.clear();
}
