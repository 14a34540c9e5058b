/** Limits below which a browser parses Markdown quickly; longer texts are shown as typed. */
const MAX = { length: 40_000, levels: 100, marks: 5_000, marksTogether: 1_000, cells: 20_000 };
const ALWAYS_READABLE = 200;
const MARK = "(?:>|[-+*](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))";
const OPENING = new RegExp(`^[ \\t]*${MARK}(?:[ \\t]*${MARK})*`, "gm");
const ONE_MARK = new RegExp(MARK, "g");

/**
 * Return whether reading the text as Markdown takes no longer than a second or two: it takes as long as the square of the marks in
 * a paragraph, fills a table's rows up to its columns, and goes one call deeper with each level.
 */
export function isReadable(text: string): boolean {
  if (text.length < ALWAYS_READABLE) return !isDeep(text);
  if (text.length > MAX.length) return false;
  const prose = withoutCode(text);
  if (isDeep(text) && isDeep(prose)) return false;
  let all = 0;
  for (const paragraph of prose.split(/\n[ \t]*\n/)) {
    const marks = count(paragraph, /[*_~[\]!<`]/g);
    all += marks;
    if (marks > MAX.marksTogether || all > MAX.marks || cells(paragraph) > MAX.cells) return false;
  }
  return true;
}

/**
 * Return the text without fenced code whose fences begin their lines. After any other fence or HTML, a line alone does not
 * show whether it is code, so the rest of the text stays.
 */
function withoutCode(text: string): string {
  let fence = "";
  let isSure = true;
  const lines = text.split(/\r\n?|\n/).filter((line) => {
    if (fence) {
      const bare = line.trim();
      const closes = /^ {0,3}(`+|~+)[ \t]*$/.test(line) && bare.startsWith(fence);
      fence = closes ? "" : fence;
      return closes;
    }
    const opens = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
    isSure &&= !/^ {0,3}<[!?/a-z]/i.test(line) && (opens !== null || !/```|~~~/.test(line));
    fence = (isSure && opens?.[0]) || "";
    return true;
  });
  return lines.join("\n");
}

function isDeep(text: string): boolean {
  for (const [opening] of text.matchAll(OPENING)) {
    const columns = opening.replaceAll("\t", "    ").length;
    if (columns > MAX.levels && count(opening, ONE_MARK) + columns / 3 > MAX.levels) return true;
  }
  return false;
}

function cells(paragraph: string): number {
  const lines = paragraph.split("\n");
  return lines.length * lines.reduce((max, line) => Math.max(max, count(line, /\|/g)), 0);
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;
