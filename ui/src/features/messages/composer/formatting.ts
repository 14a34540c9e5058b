import { insertCompletion, type Selected } from "@/model/writing/edits";

/** Return the text of a field with its selection. */
export function selectionOf(field: HTMLTextAreaElement): Selected {
  return { text: field.value, start: field.selectionStart, end: field.selectionEnd };
}

/** Add marks around the selection, or remove them. */
export function toggleMarks({ text, start, end }: Selected, mark: string): Selected {
  const before = text.slice(0, start);
  const inside = text.slice(start, end);
  const after = text.slice(end);
  if (before.endsWith(mark) && after.startsWith(mark)) {
    const cut = before.slice(0, -mark.length);
    return {
      text: cut + inside + after.slice(mark.length),
      start: cut.length,
      end: cut.length + inside.length,
    };
  }
  const from = before.length + mark.length;
  return { text: before + mark + inside + mark + after, start: from, end: from + inside.length };
}

/** Replace the selection; the caret is behind what replaces it. */
export function replaceSelection({ text, start, end }: Selected, by: string): Selected {
  return insertCompletion(text, start, end, by);
}

/** Make the selection the text of a link, or its target if it is an address; then what is missing is selected. */
export function toLink({ text, start, end }: Selected): Selected {
  const inside = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/i.test(inside.trim());
  const [label, target] = isAddress ? ["", inside.trim()] : [inside, "https://"];
  const next = `${text.slice(0, start)}[${label}](${target})${text.slice(end)}`;
  const at = start + 1;
  if (!label) return { text: next, start: at, end: at };
  const from = at + label.length + 2;
  return { text: next, start: from, end: from + target.length };
}

/** Return whether a text ends inside a fenced code block. */
export function isInCode(text: string): boolean {
  let fence = "";
  for (const line of text.split("\n")) {
    const [, marks = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence) fence = marks.startsWith(fence) && !info.trim() ? "" : fence;
    else if (!info.includes("`")) fence = marks;
  }
  return fence !== "";
}
