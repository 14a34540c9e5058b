export interface Selected {
  text: string;
  start: number;
  end: number;
}

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

/** Replace the text from `from` to the caret with `insert`. */
export function insertCompletion(text: string, from: number, caret: number, insert: string): Selected {
  const at = from + insert.length;
  return { text: text.slice(0, from) + insert + text.slice(caret), start: at, end: at };
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

/** Return the smallest part of a text that has to be replaced to get another: from, to, and the replacement. */
export function difference(text: string, next: string): { from: number; to: number; by: string } {
  const shorter = Math.min(text.length, next.length);
  let from = 0;
  while (from < shorter && text[from] === next[from]) from += 1;
  if (isHighSurrogate(text[from - 1])) from -= 1;
  let same = 0;
  while (same < shorter - from && text.at(-1 - same) === next.at(-1 - same)) same += 1;
  if (isLowSurrogate(text[text.length - same])) same -= 1;
  return { from, to: text.length - same, by: next.slice(from, next.length - same) };
}

// Emoji have two code units each, which must not be replaced apart.
const isHighSurrogate = (unit: string | undefined): boolean => /[\uD800-\uDBFF]/.test(unit ?? "");
const isLowSurrogate = (unit: string | undefined): boolean => /[\uDC00-\uDFFF]/.test(unit ?? "");
