import { lazy, Suspense } from "react";
import { useShortcuts } from "@/kit/input/shortcuts";
import { Store, useStore } from "@/kit/data/store";

/** Whether the quick switcher is open. */
export const quickSwitcher = new Store(false);

const SwitcherDialog = lazy(() =>
  import("./SwitcherDialog").then((module) => ({ default: module.SwitcherDialog })),
);

interface Props {
  organizationId: string;
  roomId: string | null;
}

/** The quick switcher (Ctrl K or ⌘ K): go to a room or person, or search messages. */
export function QuickSwitcher({ organizationId, roomId }: Props) {
  const isOpen = useStore(quickSwitcher);
  useShortcuts({ search: () => quickSwitcher.set(true) });
  if (!isOpen) return null;
  return (
    <Suspense>
      <SwitcherDialog
        organizationId={organizationId}
        roomId={roomId}
        onClose={() => quickSwitcher.set(false)}
      />
    </Suspense>
  );
}
