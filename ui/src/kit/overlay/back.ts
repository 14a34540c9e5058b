import { useEffect } from "react";
import { useLatest } from "../data/useLatest";

declare global {
  interface Window {
    /** Chromium's: the "Back" of Android asks the newest one to close. */
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy: () => void };
  }
}

/** Close something with the "Back" of Android. */
export function useBackToClose(isOpen: boolean, onClose: () => void): void {
  const latest = useLatest(onClose);
  useEffect(() => {
    if (!isOpen || !window.CloseWatcher) return;
    const watcher = new window.CloseWatcher();
    watcher.onclose = () => latest.current();
    return () => watcher.destroy();
  }, [isOpen, latest]);
}
