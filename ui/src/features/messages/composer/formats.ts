import { linked, wrapped, type Selected } from "./formatting";
import { fenced, prefixed } from "./lines";

export interface Format {
  name: "bold" | "italic" | "strikethrough" | "link" | "bullets" | "numbers" | "quote" | "code" | "codeBlock";
  /** The keys pressed with Ctrl or ⌘. */
  keys: string;
  edit: (selected: Selected) => Selected;
}

/** What can be done with the selected text, in the order of the toolbar. */
export const FORMATS: Format[] = [
  { name: "bold", keys: "b", edit: (selected) => wrapped(selected, "**") },
  { name: "italic", keys: "i", edit: (selected) => wrapped(selected, "_") },
  { name: "strikethrough", keys: "shift x", edit: (selected) => wrapped(selected, "~~") },
  { name: "link", keys: "shift u", edit: linked },
  { name: "bullets", keys: "shift 8", edit: (selected) => prefixed(selected, "bullets") },
  { name: "numbers", keys: "shift 7", edit: (selected) => prefixed(selected, "numbers") },
  { name: "quote", keys: "shift 9", edit: (selected) => prefixed(selected, "quote") },
  { name: "code", keys: "e", edit: (selected) => wrapped(selected, "`") },
  { name: "codeBlock", keys: "shift e", edit: fenced },
];

type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** The format of a shortcut. Shift changes the character of a digit's key, so digits go by the key itself. */
export function formatOf(pressed: Pressed): Format | undefined {
  if ((!pressed.ctrlKey && !pressed.metaKey) || pressed.altKey) return undefined;
  const key = /^Digit\d$/.test(pressed.code) ? pressed.code.slice(-1) : pressed.key.toLowerCase();
  const keys = pressed.shiftKey ? `shift ${key}` : key;
  return FORMATS.find((each) => each.keys === keys);
}
