import { useEffect, useRef } from "react";
import { isMac, isPressed } from "./keys";

interface Shortcut {
  group: "everywhere" | "rooms" | "messages" | "deliveries" | "composer";
  /** One or more ways to press it. */
  keys: readonly string[];
  /** Whether it also works while typing in a field, which then never needs the keys itself. */
  inFields?: boolean;
}

/** All keyboard shortcuts, in the order of the dialog that shows them. Those of the composer are handled in its field. */
export const SHORTCUTS = {
  search: { group: "everywhere", keys: ["mod+K"], inFields: true },
  help: { group: "everywhere", keys: ["?"] },
  previousRoom: { group: "rooms", keys: ["alt+ArrowUp"], inFields: true },
  nextRoom: { group: "rooms", keys: ["alt+ArrowDown"], inFields: true },
  previousUnread: { group: "rooms", keys: ["alt+shift+ArrowUp"], inFields: true },
  nextUnread: { group: "rooms", keys: ["alt+shift+ArrowDown"], inFields: true },
  markRead: { group: "rooms", keys: ["Escape"], inFields: true },
  previousMessage: { group: "messages", keys: ["K", "ArrowUp"] },
  nextMessage: { group: "messages", keys: ["J", "ArrowDown"] },
  reply: { group: "messages", keys: ["R"] },
  react: { group: "messages", keys: [":"] },
  edit: { group: "messages", keys: ["E"] },
  copyLink: { group: "messages", keys: ["L"] },
  delete: { group: "messages", keys: ["Delete"] },
  previousDelivery: { group: "deliveries", keys: ["K", "ArrowUp"] },
  nextDelivery: { group: "deliveries", keys: ["J", "ArrowDown"] },
  resend: { group: "deliveries", keys: ["R"] },
  copyCurl: { group: "deliveries", keys: ["C"] },
  compare: { group: "deliveries", keys: ["D"] },
  send: { group: "composer", keys: ["Enter"] },
  newLine: { group: "composer", keys: ["shift+Enter"] },
  editLast: { group: "composer", keys: ["ArrowUp"] },
  bold: { group: "composer", keys: ["mod+B"] },
  italic: { group: "composer", keys: ["mod+I"] },
  code: { group: "composer", keys: ["mod+E"] },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;
export const SHORTCUT_NAMES = Object.keys(SHORTCUTS) as ShortcutName[];

/** Acts on a shortcut. Returns false where there is nothing to act on, which leaves the keys to others. */
type Act = (event: KeyboardEvent) => unknown;
type Actions = Partial<Record<ShortcutName, Act>>;

const registered: { current: Actions }[] = [];

/** Act on shortcuts while the component is shown. The component shown last comes first. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    registered.push(latest);
    return () => void registered.splice(registered.indexOf(latest), 1);
  }, []);
}

/** Return the shortcuts that the event presses, given the field that it was typed in, if any: one of each group. */
export function shortcutsOf(event: Parameters<typeof isPressed>[1], field: Field | null, mac = isMac) {
  return SHORTCUT_NAMES.filter((name) => {
    const { keys, group, inFields }: Shortcut = SHORTCUTS[name];
    const isFree = field === null || (inFields && !needsKeys(event, field, mac));
    return isFree && group !== "composer" && keys.some((each) => isPressed(each, event, mac));
  });
}

export type Field = Pick<HTMLInputElement, "value">;

/** On a Mac, ⌥ and the arrows move the caret in a text. */
const needsKeys = (event: Pick<KeyboardEvent, "altKey">, field: Field, mac: boolean): boolean =>
  mac && event.altKey && field.value !== "";

const FIELDS = "input, textarea, select, [contenteditable='true']";
const DIALOGS = "[role=dialog], [role=alertdialog], [role=menu]";

/** Whether a dialog was open when the keys were pressed; Escape may have closed it since. */
let isInDialog = false;
globalThis.addEventListener?.("keydown", () => (isInDialog = document.querySelector(DIALOGS) !== null), true);
globalThis.addEventListener?.("keydown", (event) => {
  if (isInDialog || event.defaultPrevented) return;
  const names = shortcutsOf(event, (event.target as Element).closest<HTMLInputElement>(FIELDS));
  const acts = registered.flatMap(({ current }) => names.flatMap((name) => current[name] ?? []));
  const act = acts.at(-1);
  if (act && act(event) !== false) event.preventDefault();
});
