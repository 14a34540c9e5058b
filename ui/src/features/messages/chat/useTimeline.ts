import { queryOptions } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap, messageOf } from "@/api/errors";
import { boundsOf } from "@/kit/text/days";
import { showNotice } from "@/kit/overlay/notices";
import { useStore } from "@/kit/data/store";
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

interface OpenPlace {
  /** The id of the marked message. */
  target: string | null;
  /** How often a link to it was followed again: a list that shows another part by now starts at it again. */
  visits: number;
}

/** Open a room at a message (for a reply, at its thread's root), at a day such as "2026-11-21", or at its end. */
export function useTimeline(
  store: TimelineStore,
  room: Room,
  messageId: string | undefined,
  day?: string,
): OpenPlace {
  const target = useStore(store.target);
  const visits = useRepeatedVisits(messageId);
  const roomId = room.room_id;
  useEffect(() => {
    const bounds = day ? boundsOf(day) : null;
    if (!messageId && !bounds) {
      store.target.set(null);
      void store.openNewest();
      return;
    }
    let isCurrent = true;
    const open = messageId
      ? openAt(store, roomId, messageId, () => isCurrent)
      : bounds && jumpTo(store, bounds, () => isCurrent);
    open?.catch((error: unknown) => {
      if (!isCurrent) return;
      showNotice(messageOf(error), { isError: true });
      void store.openNewest();
    });
    return () => {
      isCurrent = false;
    };
  }, [store, roomId, messageId, day, visits]);
  return { target, visits };
}

/** Return how often the address of a message was opened again while it was open; it stays the same. */
export function useRepeatedVisits(messageId: string | undefined): number {
  const router = useRouter();
  const [visits, setVisits] = useState(0);
  useEffect(() => {
    if (!messageId) return;
    return router.subscribe("onBeforeNavigate", ({ hrefChanged }) => {
      if (!hrefChanged) setVisits((count) => count + 1);
    });
  }, [router, messageId]);
  return visits;
}

async function openAt(
  store: TimelineStore,
  roomId: string,
  messageId: string,
  isCurrent: () => boolean,
): Promise<void> {
  const message = await readMessage(roomId, messageId);
  const root = message.thread_root_id ? await readMessage(roomId, message.thread_root_id) : message;
  if (!isCurrent()) return;
  const isShown = store.timeline.get().messages.some((each) => each.message_id === root.message_id);
  if (isShown) store.target.set(root.message_id);
  else await store.openAt(root, { isTarget: true });
}
