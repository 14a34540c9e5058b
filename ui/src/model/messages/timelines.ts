import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { answered } from "@/api/refusal";
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
  for (const each of readings) if (each.rootId === thread_root_id) each.told.push(message);
  queryClient.setQueryData<Message[]>(
    threadKey(room_id, thread_root_id),
    (known) => known && merged(known, [message]),
  );
}

interface Reading {
  rootId: string;
  told: Message[];
}

const readings = new Set<Reading>();

/** The replies as `read` finds them, and with what was told of them meanwhile: the answer may be older. */
export async function withTold(rootId: string, read: () => Promise<Message[]>): Promise<Message[]> {
  const reading: Reading = { rootId, told: [] };
  readings.add(reading);
  try {
    return merged(await read(), reading.told);
  } finally {
    readings.delete(reading);
  }
}

const asked = new Map<string, ReturnType<typeof setTimeout>>();
const SOON_MS = 150;

/** A reply has come: the message that its thread hangs on counts it, and is read anew where it is shown. */
export function tellOfReply({ room_id, thread_root_id }: Message): void {
  const store = stores.get(room_id);
  void store?.whenOpened().then(() => {
    const root = store.timeline.get().messages.find((each) => each.message_id === thread_root_id);
    if (root) readSoon(root);
  });
}

function readSoon(root: Message): void {
  clearTimeout(asked.get(root.message_id));
  asked.set(
    root.message_id,
    setTimeout(() => {
      asked.delete(root.message_id);
      readAgain(root).then(tell, () => undefined); // the next reply, or the next look, brings it
    }, SOON_MS),
  );
}

function readAgain({ room_id, message_id }: Message): Promise<Message> {
  return answered(
    api.GET("/v2/rooms/{room_id}/messages/{message_id}", { params: { path: { room_id, message_id } } }),
  );
}

/** The live stream begins here: nobody tells what came between the first look and now. */
export function lookAgain(): void {
  for (const store of stores.values()) void store.lookAgain();
}

/** What is shown may have missed something: the shown room is read anew, the others when they are shown again. */
export function readAnew(shownRoomId: string | null): void {
  for (const [roomId, store] of stores) {
    if (roomId !== shownRoomId) stores.delete(roomId);
    else if (store.timeline.get().messages.length === 0) void store.lookAgain();
    else void store.openNewest({ anew: true });
  }
}

export function forgetTimelines(): void {
  stores.clear();
}
