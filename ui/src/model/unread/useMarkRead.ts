import { useEffect } from "react";
import { placeKey } from "./counting";
import { markRead, type Place } from "./marking";
import { isBeingRead, resumeReading, watchEnd } from "./reading";

const SETTLES_MS = 800;

/** Mark a room or thread as read while its end is in sight. */
export function useMarkRead(
  { organizationId, roomId, rootId }: Place,
  newestId: string | undefined,
  endInSight: boolean,
) {
  const key = placeKey(roomId, rootId);
  useEffect(() => (endInSight ? watchEnd(key) : undefined), [key, endInSight]);
  useEffect(() => () => void resumeReading(key), [key]);
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
