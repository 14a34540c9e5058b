import type { Selected } from "@/model/writing/edits";

export type LineFormat = "bullets" | "numbers" | "quote";

const KNOWN: Record<LineFormat, RegExp> = {
  bullets: /^(\s*)[-*+] (?:\[[ xX]\] )?/,
  numbers: /^(\s*)\d{1,9}[.)] /,
  quote: /^()> ?/,
};
const markOf = (format: LineFormat, index: number): string =>
  ({ bullets: "- ", numbers: `${index + 1}. `, quote: "> " })[format];

/** Begin each selected line with the mark of a list or quote, or remove the marks where all lines have them. */
export function toggleLinePrefix({ text, start, end }: Selected, format: LineFormat): Selected {
  const from = lineStart(text, start);
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  const to = lineEnd(text, last);
  const lines = text.slice(from, to).split("\n");
  const isMarked = (line: string) => KNOWN[format].test(line) || (lines.length > 1 && !line.trim());
  const changed = (lines.every(isMarked) ? stripLinePrefix : withMarks)(lines, format).join("\n");
  const next = text.slice(0, from) + changed + text.slice(to);
  const caret = Math.max(from, start + changed.length - (to - from));
  return start === end
    ? { text: next, start: caret, end: caret }
    : { text: next, start: from, end: from + changed.length };
}

/** Put the selection into a code block of its own lines. */
export function toCodeBlock({ text, start, end }: Selected): Selected {
  const code = text.slice(start, end).replace(/\n$/, "");
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const opening = `${start === lineStart(text, start) ? "" : "\n"}${fence}\n`;
  const closing = `\n${fence}${end < text.length && text[end] !== "\n" ? "\n" : ""}`;
  const at = start + opening.length;
  return {
    text: text.slice(0, start) + opening + code + closing + text.slice(end),
    start: at,
    end: at + code.length,
  };
}

export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function stripLinePrefix(lines: string[], format: LineFormat): string[] {
  return lines.map((line) => line.replace(KNOWN[format], "$1"));
}

/** A list replaces the marks of another kind of list; its empty lines stay empty. */
function withMarks(lines: string[], format: LineFormat): string[] {
  let count = 0;
  return lines.map((line) => {
    if (format === "quote") return markOf(format, 0) + line;
    if (lines.length > 1 && !line.trim()) return line;
    const bare = line.replace(KNOWN.bullets, "$1").replace(KNOWN.numbers, "$1");
    const indentation = /^\s*/.exec(bare)?.[0] ?? "";
    return indentation + markOf(format, count++) + bare.slice(indentation.length);
  });
}
