/** The longest text that the server accepts in a message, in characters as it counts them. */
export const MAX_CHARACTERS = 40_000;

/** Return the number of characters by which a text is too long, or 0. */
export function excessOf(text: string): number {
  if (text.length <= MAX_CHARACTERS) return 0;
  return Math.max(0, [...text].length - MAX_CHARACTERS);
}

/** Split a text that is too long into the part for a file and the rest: what was pasted last, or else everything. */
export function splitForFile(text: string, pasted: string): { file: string; rest: string } {
  const at = pasted ? text.lastIndexOf(pasted) : -1;
  const rest = text.slice(0, Math.max(at, 0)) + text.slice(at + pasted.length);
  return at >= 0 && excessOf(rest) === 0 ? { file: pasted, rest } : { file: text, rest: "" };
}
