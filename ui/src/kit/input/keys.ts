/** Keys of the keyboard, written as "mod+K" or "alt+shift+ArrowUp". "mod" is ⌘ on a Mac and Ctrl elsewhere. */
export const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

export type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Return whether exactly these keys are pressed. A character such as "?" counts on every layout, with Shift or without. */
export function isPressed(keys: string, press: Press, mac = isMac): boolean {
  const { key, modifiers } = parse(keys);
  const isCharacter = key.length === 1 && !/[a-z]/i.test(key);
  return (
    key.toLowerCase() === keyOf(press).toLowerCase() &&
    (isCharacter || press.shiftKey === modifiers.includes("shift")) &&
    press.altKey === modifiers.includes("alt") &&
    press.metaKey === (mac && modifiers.includes("mod")) &&
    press.ctrlKey === (!mac && modifiers.includes("mod"))
  );
}

const NAMES: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
  mod: "Ctrl",
  alt: "Alt",
  shift: "Shift",
};
const MAC_NAMES: Record<string, string> = { ...NAMES, Delete: "⌦", mod: "⌘", alt: "⌥", shift: "⇧" };

/** Return the keys as people know them: "Ctrl" and "K", or "⌘" and "K" on a Mac. */
export function keyNames(keys: string, mac = isMac): string[] {
  const { key, modifiers } = parse(keys);
  return [...modifiers, key].map((each) => (mac ? MAC_NAMES : NAMES)[each] ?? each);
}

const ARIA: Record<string, string> = { alt: "Alt", shift: "Shift" };

/** Return the keys in the notation of `aria-keyshortcuts`. */
export function ariaKeys(keys: string, mac = isMac): string {
  const { key, modifiers } = parse(keys);
  return [...modifiers.map((each) => ARIA[each] ?? (mac ? "Meta" : "Control")), key].join("+");
}

function parse(keys: string): { key: string; modifiers: string[] } {
  const parts = keys.split("+");
  return { key: parts.at(-1) ?? "", modifiers: parts.slice(0, -1) };
}

/** Return the key that was pressed; on a layout without Latin letters, the letter that a US keyboard has there. */
function keyOf({ key, code }: Press): string {
  const isForeign = key.length === 1 && key > "\u007f";
  return isForeign && code.startsWith("Key") ? code.slice(3) : key;
}
