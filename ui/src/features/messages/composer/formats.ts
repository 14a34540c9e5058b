import type { Selected } from "@/model/writing/edits";
import { toLink, toggleMarks } from "./formatting";
import { toCodeBlock, toggleLinePrefix } from "./lines";

export interface Format {
  name: "bold" | "italic" | "strikethrough" | "link" | "bullets" | "numbers" | "quote" | "code" | "codeBlock";
  /** The keys pressed with Ctrl or ⌘. */
  keys: string;
  edit: (selected: Selected) => Selected;
}

/** What can be done with the selected text, in the order of the toolbar. */
export const FORMATS: Format[] = [
  { name: "bold", keys: "b", edit: (selected) => toggleMarks(selected, "**") },
  { name: "italic", keys: "i", edit: (selected) => toggleMarks(selected, "_") },
  { name: "strikethrough", keys: "shift x", edit: (selected) => toggleMarks(selected, "~~") },
  { name: "link", keys: "shift u", edit: toLink },
  { name: "bullets", keys: "shift 8", edit: (selected) => toggleLinePrefix(selected, "bullets") },
  { name: "numbers", keys: "shift 7", edit: (selected) => toggleLinePrefix(selected, "numbers") },
  { name: "quote", keys: "shift 9", edit: (selected) => toggleLinePrefix(selected, "quote") },
  { name: "code", keys: "e", edit: (selected) => toggleMarks(selected, "`") },
  { name: "codeBlock", keys: "shift e", edit: toCodeBlock },
];

type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Return the format of a shortcut. Shift changes the character of a digit's key, so digits go by the key itself. */
export function formatOf(pressed: Pressed): Format | undefined {
  if ((!pressed.ctrlKey && !pressed.metaKey) || pressed.altKey) return undefined;
  const key = /^Digit\d$/.test(pressed.code) ? pressed.code.slice(-1) : pressed.key.toLowerCase();
  const keys = pressed.shiftKey ? `shift ${key}` : key;
  return FORMATS.find((each) => each.keys === keys);
}
