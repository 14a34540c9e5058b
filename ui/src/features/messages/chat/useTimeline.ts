import { queryOptions } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap, messageOf } from "@/api/errors";
import { boundsOf } from "@/kit/days";
import { showNotice } from "@/kit/notices";
import { useStore } from "@/kit/store";
import type { TimelineStore } from "@/model/messages/timelineStore";
import type { Message } from "@/model/messages/history";
import { messageKey } from "@/model/queryKeys";
import type { Room } from "@/model/rooms/queries";
import { jumpTo } from "./jumpTo";

export const oneMessage = (roomId: string, messageId: string) =>
  queryOptions({
    queryKey: messageKey(roomId, messageId),
    staleTime: 10_000,
    queryFn: (): Promise<Message> =>
      unwrap(
        api.GET("/v2/rooms/{room_id}/messages/{message_id}", {
          params: { path: { room_id: roomId, message_id: messageId } },
        }),
      ),
  });

const readMessage = (roomId: string, messageId: string) =>
  queryClient.fetchQuery(oneMessage(roomId, messageId));

/**
 * Open a room at a message (for a reply, at its thread's root), at a day such as "2026-11-21", or at its end. Return the
 * id of the marked message.
 */
export function useTimeline(
  store: TimelineStore,
  room: Room,
  messageId: string | undefined,
  day?: string,
): string | null {
  const target = useStore(store.target);
  useEffect(() => {
    const bounds = day ? boundsOf(day) : null;
    if (!messageId && !bounds) {
      store.target.set(null);
      void store.openNewest();
      return;
    }
    let isCurrent = true;
    const open = messageId
      ? openAt(store, room, messageId, () => isCurrent)
      : bounds && jumpTo(store, bounds, () => isCurrent);
    open?.catch((error: unknown) => {
      if (!isCurrent) return;
      showNotice(messageOf(error), { isError: true });
      void store.openNewest();
    });
    return () => {
      isCurrent = false;
    };
  }, [store, room, messageId, day]);
  return target;
}

async function openAt(
  store: TimelineStore,
  room: Room,
  messageId: string,
  isCurrent: () => boolean,
): Promise<void> {
  const message = await readMessage(room.room_id, messageId);
  const root = message.thread_root_id ? await readMessage(room.room_id, message.thread_root_id) : message;
  if (!isCurrent()) return;
  const isShown = store.timeline.get().messages.some((each) => each.message_id === root.message_id);
  if (!isShown) await store.openAt(root);
  if (isCurrent()) store.target.set(root.message_id);
}
