import { placeKey } from "./counting";

const inSight = new Set<string>();
const paused = new Set<string>();

/** Whether the reader is looking at the end of a room or thread, so that what arrives there is read. */
export function isBeingRead(roomId: string, rootId: string | null): boolean {
  const key = placeKey(roomId, rootId);
  return inSight.has(key) && !paused.has(key) && document.visibilityState === "visible";
}

/** Say that the end of a room or thread is in sight; return a function that says when it no longer is. */
export function watchEnd(key: string): () => void {
  inSight.add(key);
  return () => inSight.delete(key);
}

/** Leave a room or thread unread, although its end is in sight, until the reader leaves it. */
export const isPaused = (key: string): boolean => paused.has(key);
export const pauseReading = (key: string): unknown => paused.add(key);
export const resumeReading = (key: string): unknown => paused.delete(key);
