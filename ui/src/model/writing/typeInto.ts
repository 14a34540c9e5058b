import { difference, type Selected } from "./edits";

/** Change the text of a field as if it were typed, so that undo knows the change. */
export function typeInto(field: HTMLTextAreaElement, { text, start, end }: Selected): void {
  const { from, to, by } = difference(field.value, text);
  field.focus();
  field.setSelectionRange(from, to);
  // Deprecated, and still the only edit that browsers can undo.
  const isDone = by
    ? document.execCommand("insertText", false, by)
    : from === to || document.execCommand("delete");
  if (!isDone) {
    field.setRangeText(by, from, to);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  field.setSelectionRange(start, end);
}
