import { placeKey } from "./counts";

const visibleEnds = new Set<string>();
const suppressed = new Set<string>();

/** Return whether the end of a room or thread is visible, so that messages that arrive there count as read. */
export function isBeingRead(roomId: string, rootId: string | null): boolean {
  const key = placeKey(roomId, rootId);
  return visibleEnds.has(key) && !suppressed.has(key) && document.visibilityState === "visible";
}

/** Register that the end of a room or thread is visible. Return a function that unregisters it. */
export function registerVisibleEnd(key: string): () => void {
  visibleEnds.add(key);
  return () => visibleEnds.delete(key);
}

/** Keep a room or thread unread, although its end is visible, until the reader leaves it. */
export const isAutoReadSuppressed = (key: string): boolean => suppressed.has(key);
export const suppressAutoRead = (key: string): unknown => suppressed.add(key);
export const allowAutoRead = (key: string): unknown => suppressed.delete(key);
