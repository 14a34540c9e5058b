import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { Store, useStore } from "@/kit/store";

/** Whether the quick switcher is open. */
export const quickSwitcher = new Store(false);

const SwitcherDialog = lazy(() =>
  import("./SwitcherDialog").then((module) => ({ default: module.SwitcherDialog })),
);

/** The quick switcher (Ctrl K or ⌘ K): go to a room by typing part of its name. */
export function QuickSwitcher({ organizationId }: { organizationId: string }) {
  const isOpen = useStore(quickSwitcher);
  useHotkeys([["mod+K", () => quickSwitcher.set(true)]], [], true);
  if (!isOpen) return null;
  return (
    <Suspense>
      <SwitcherDialog organizationId={organizationId} onClose={() => quickSwitcher.set(false)} />
    </Suspense>
  );
}
