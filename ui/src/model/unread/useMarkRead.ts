import { useEffect } from "react";
import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap } from "@/api/errors";
import { unreadKey } from "@/model/queryKeys";
import { withRoomRead, type UnreadRoom } from "./counting";

const SETTLES_MS = 800;

/** Mark the room as read while its newest message is visible. */
export function useMarkRead(
  organizationId: string,
  roomId: string,
  newestId: string | undefined,
  inSight: boolean,
) {
  useEffect(() => {
    if (!newestId || !inSight) return;
    const mark = () => {
      if (document.visibilityState === "visible") void markRead(organizationId, roomId, newestId);
    };
    const timer = setTimeout(mark, SETTLES_MS);
    document.addEventListener("visibilitychange", mark);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", mark);
    };
  }, [organizationId, roomId, newestId, inSight]);
}

const marked = new Map<string, string>();

async function markRead(organizationId: string, roomId: string, messageId: string): Promise<void> {
  const key = unreadKey(organizationId);
  const isUnread = queryClient.getQueryData<UnreadRoom[]>(key)?.some((each) => each.room_id === roomId);
  if (marked.get(roomId) === messageId && !isUnread) return;
  marked.set(roomId, messageId);
  queryClient.setQueryData<UnreadRoom[]>(key, (known) => withRoomRead(known, roomId));
  const params = { path: { room_id: roomId } };
  try {
    await unwrap(api.PUT("/v2/rooms/{room_id}/read-marker", { params, body: { message_id: messageId } }));
  } catch {
    marked.delete(roomId); // the next message tries again
  }
}

export const forgetMarks = (): void => marked.clear();
