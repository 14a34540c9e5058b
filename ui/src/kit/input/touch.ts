import { useSyncExternalStore } from "react";

const coarse = globalThis.matchMedia?.("(pointer: coarse)");

/** Return whether fingers, not a mouse, point at things. */
export const isTouch = (): boolean => coarse?.matches ?? false;

export function useTouch(): boolean {
  return useSyncExternalStore(subscribe, isTouch);
}

function subscribe(listener: () => void): () => void {
  coarse?.addEventListener("change", listener);
  return () => coarse?.removeEventListener("change", listener);
}

/** Leave the focus where it is, for tools of a field: the keyboard of a phone stays open. */
export function keepFocus(event: React.MouseEvent): void {
  if (isTouch()) event.preventDefault();
}
