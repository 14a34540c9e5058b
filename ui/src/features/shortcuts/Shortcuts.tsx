import { lazy, Suspense } from "react";
import { useShortcuts } from "@/kit/input/shortcuts";
import { Store, useStore } from "@/kit/data/store";

/** Whether the dialog with the keyboard shortcuts is open. */
export const shortcutsDialog = new Store(false);

const ShortcutsDialog = lazy(() => import("./ShortcutsDialog").then((m) => ({ default: m.ShortcutsDialog })));

/** Opens the dialog with all keyboard shortcuts ("?"). */
export function Shortcuts() {
  const isOpen = useStore(shortcutsDialog);
  useShortcuts({ help: () => shortcutsDialog.set(true) });
  if (!isOpen) return null;
  return (
    <Suspense>
      <ShortcutsDialog onClose={() => shortcutsDialog.set(false)} />
    </Suspense>
  );
}
