/** What a browser reads as Markdown in a moment; the rest, stored before the server refused it, is shown as it was typed. */
const MOST = { length: 40_000, levels: 100, marks: 5_000, marksTogether: 1_000, cells: 20_000 };
const SURELY_MODEST = 200;
const MARK = "(?:>|[-+*](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))";
const OPENING = new RegExp(`^[ \\t]*${MARK}(?:[ \\t]*${MARK})*`, "gm");
const ONE_MARK = new RegExp(MARK, "g");

/**
 * Whether reading the text as Markdown takes no longer than a second or two: it takes as long as the square of the marks in
 * a paragraph, fills a table's rows up to its columns, and goes one call deeper with each level.
 */
export function isModest(text: string): boolean {
  if (text.length < SURELY_MODEST) return !isDeep(text);
  if (text.length > MOST.length || isDeep(text)) return false;
  let all = 0;
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const marks = count(paragraph, /[*_~[\]!<`]/g);
    all += marks;
    if (marks > MOST.marksTogether || all > MOST.marks || cells(paragraph) > MOST.cells) return false;
  }
  return true;
}

function isDeep(text: string): boolean {
  for (const [opening] of text.matchAll(OPENING)) {
    const columns = opening.replaceAll("\t", "    ").length;
    if (columns > MOST.levels && count(opening, ONE_MARK) + columns / 3 > MOST.levels) return true;
  }
  return false;
}

function cells(paragraph: string): number {
  const lines = paragraph.split("\n");
  return lines.length * lines.reduce((most, line) => Math.max(most, count(line, /\|/g)), 0);
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;
