import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap } from "@/api/errors";
import { messageKey, threadKey } from "@/model/queryKeys";
import { merge } from "./timeline";
import { TimelineStore } from "./timelineStore";
import type { Message } from "./history";

const MAX_ROOMS = 8;
const stores = new Map<string, TimelineStore>();

/** Return the timeline of a room; those of the last rooms stay in memory. */
export function timelineOf(room: { room_id: string; created_at: string }): TimelineStore {
  const store = stores.get(room.room_id) ?? new TimelineStore(room.room_id, room.created_at);
  stores.delete(room.room_id);
  stores.set(room.room_id, store);
  for (const oldest of [...stores.keys()].slice(0, -MAX_ROOMS)) stores.delete(oldest);
  return store;
}

/** Publish a new or changed message to all views that show it. */
export function publishMessage(message: Message): void {
  const { room_id, thread_root_id, message_id } = message;
  if (thread_root_id === null) {
    stores.get(room_id)?.receive(message);
    queryClient.setQueryData(messageKey(room_id, message_id), message);
    return;
  }
  for (const each of readings) if (each.rootId === thread_root_id) each.received.push(message);
  queryClient.setQueryData<Message[]>(
    threadKey(room_id, thread_root_id),
    (known) => known && merge(known, [message]),
  );
}

interface Reading {
  rootId: string;
  received: Message[];
}

const readings = new Set<Reading>();

/** Read the replies and apply those received in the meantime: the response may be older. */
export async function withReceived(rootId: string, read: () => Promise<Message[]>): Promise<Message[]> {
  const reading: Reading = { rootId, received: [] };
  readings.add(reading);
  try {
    return merge(await read(), reading.received);
  } finally {
    readings.delete(reading);
  }
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const SOON_MS = 150;

/** Reload the root of a new reply's thread where it is shown, because the root counts its replies. */
export function publishReply({ room_id, thread_root_id }: Message): void {
  const store = stores.get(room_id);
  void store?.whenOpened().then(() => {
    const root = store.timeline.get().messages.find((each) => each.message_id === thread_root_id);
    if (root) readSoon(root);
  });
}

function readSoon(root: Message): void {
  clearTimeout(timers.get(root.message_id));
  timers.set(
    root.message_id,
    setTimeout(() => {
      timers.delete(root.message_id);
      readAgain(root).then(publishMessage, () => undefined); // the next reply reloads it
    }, SOON_MS),
  );
}

function readAgain({ room_id, message_id }: Message): Promise<Message> {
  return unwrap(
    api.GET("/v2/rooms/{room_id}/messages/{message_id}", { params: { path: { room_id, message_id } } }),
  );
}

/** Refetch all timelines at the start of the live stream: no event reports what changed before it. */
export function refreshTimelines(): void {
  for (const store of stores.values()) void store.refresh();
}

/** Reload the timeline of the shown room, and the others when they are shown again: events may have been missed. */
export function reloadTimelines(shownRoomId: string | null): void {
  for (const [roomId, store] of stores) {
    if (roomId !== shownRoomId) stores.delete(roomId);
    else if (store.timeline.get().messages.length === 0) void store.refresh();
    else void store.openNewest({ reload: true });
  }
}

export function forgetTimelines(): void {
  stores.clear();
}
