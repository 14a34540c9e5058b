import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useStore } from "@/kit/store";
import { quickSwitcher } from "./switcherOpen";

const SwitcherDialog = lazy(() =>
  import("./SwitcherDialog").then((module) => ({ default: module.SwitcherDialog })),
);

/** Ctrl or ⌘ and K: go anywhere by typing a part of its name. */
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
