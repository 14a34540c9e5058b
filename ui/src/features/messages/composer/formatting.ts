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
