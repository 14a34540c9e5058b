export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** Replace the text from `from` to the caret with `insert`. */
export function insertCompletion(text: string, from: number, caret: number, insert: string): Selected {
  const at = from + insert.length;
  return { text: text.slice(0, from) + insert + text.slice(caret), start: at, end: at };
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
