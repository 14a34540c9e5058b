/**
 * Characters of scripts that are written without spaces between words, and of Korean, where particles follow a name.
 * Next to one of them, a mark such as "@" or "#" begins a name, and a name ends, as next to a space.
 */
const UNSPACED = [
  "Han",
  "Hiragana",
  "Katakana",
  "Bopomofo",
  "Hangul",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
  "Tibetan",
]
  .map((script) => `\\p{scx=${script}}`)
  .join("");

/** A character that continues a word, as part of a regular expression with the flag "u". */
export const IN_WORD = `(?:(?![${UNSPACED}\\uFE0E\\uFE0F\\u20E3])[\\p{L}\\p{M}\\p{N}_])`;

/** Return whether a text has characters of a script that is written without spaces. */
export const hasUnspaced = (text: string): boolean => UNSPACED_ANY.test(text);

const UNSPACED_ANY = new RegExp(`[${UNSPACED}]`, "u");
const UNSPACED_END = new RegExp(`[${UNSPACED}]$`, "u");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "u");

/** Return whether a word can end between two texts that are not separated by a space. */
export const isBoundary = (before: string, after: string): boolean =>
  UNSPACED_END.test(before) || UNSPACED_START.test(after);

/** Return whether a name can begin after a text: after a space, an opening mark, or a script without spaces. */
export const canBeginName = (before: string): boolean =>
  /(?:^|[\s\p{Ps}\p{Pi}"'\uFF01-\uFF0F\uFF1A-\uFF20])$/u.test(before) || UNSPACED_END.test(before);
