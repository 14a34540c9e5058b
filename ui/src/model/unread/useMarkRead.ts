import { useEffect } from "react";
import { placeKey } from "./counts";
import { markRead, type Place } from "./markRead";
import { isBeingRead, allowAutoRead, registerVisibleEnd } from "./visibility";

const SETTLES_MS = 800;

/** Mark a room or thread as read while its end is visible. */
export function useMarkRead(
  { organizationId, roomId, rootId }: Place,
  newestId: string | undefined,
  endInSight: boolean,
) {
  const key = placeKey(roomId, rootId);
  useEffect(() => (endInSight ? registerVisibleEnd(key) : undefined), [key, endInSight]);
  useEffect(() => () => void allowAutoRead(key), [key]);
  useEffect(() => {
    if (!newestId || !endInSight) return;
    const mark = () => {
      if (isBeingRead(roomId, rootId)) void markRead({ organizationId, roomId, rootId }, newestId);
    };
    const timer = setTimeout(mark, SETTLES_MS);
    document.addEventListener("visibilitychange", mark);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", mark);
    };
  }, [organizationId, roomId, rootId, newestId, endInSight]);
}
