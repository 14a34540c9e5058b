import { useSyncExternalStore } from "react";

const narrow = globalThis.matchMedia?.("(max-width: 759px)");

/** Return whether the window has no space for a sidebar. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow?.matches ?? false);
}

function subscribe(listener: () => void): () => void {
  narrow?.addEventListener("change", listener);
  return () => narrow?.removeEventListener("change", listener);
}
