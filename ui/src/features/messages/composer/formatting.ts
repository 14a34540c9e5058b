export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** Add marks around the selection, or remove them. */
export function wrapped({ text, start, end }: Selected, mark: string): Selected {
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
export function completed(text: string, from: number, caret: number, insert: string): Selected {
  const at = from + insert.length;
  return { text: text.slice(0, from) + insert + text.slice(caret), start: at, end: at };
}

/** Whether a text ends inside a fenced code block. */
export function isInCode(text: string): boolean {
  let fence = "";
  for (const line of text.split("\n")) {
    const [, marks = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence) fence = marks.startsWith(fence) && !info.trim() ? "" : fence;
    else if (!info.includes("`")) fence = marks;
  }
  return fence !== "";
}

/** The smallest part of a text that has to be replaced to get another: from, to, and the replacement. */
export function difference(text: string, next: string): { from: number; to: number; by: string } {
  const shorter = Math.min(text.length, next.length);
  let from = 0;
  while (from < shorter && text[from] === next[from]) from += 1;
  let same = 0;
  while (same < shorter - from && text.at(-1 - same) === next.at(-1 - same)) same += 1;
  return { from, to: text.length - same, by: next.slice(from, next.length - same) };
}
