const LONG_LINES = 30;
const SHOWN_LINES = 20;
const LONG_CHARACTERS = 8000;
const SHOWN_CHARACTERS = 4000;

/** The part of a long block that is shown first, and how much there is of it. */
export interface Excerpt {
  length: number;
  lines: number;
}

/** Return the beginning of code that has too many lines or characters; null if all of it is shown. */
export function excerptOf(code: string): Excerpt | null {
  const lines = code.split("\n");
  if (lines.length <= LONG_LINES && code.length <= LONG_CHARACTERS) return null;
  const length = lines.length <= LONG_LINES ? code.length : lines.slice(0, SHOWN_LINES).join("\n").length;
  return { length: Math.min(length, SHOWN_CHARACTERS), lines: lines.length };
}
