import { Store } from "@/kit/store";

/** Whether the quick switcher is open. */
export const quickSwitcher = new Store(false);
