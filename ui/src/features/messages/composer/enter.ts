import type { Selected } from "@/model/writing/edits";
import { isInCode, replaceSelection } from "./formatting";
import { lineEnd, lineStart } from "./lines";

/** The beginning of a line in a list or quote: indentation and quotes, then the mark of an item. */
const OPENING = /^((?:[ \t]*>)*[ \t]*)((?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/;

/**
 * Return the edit that Enter makes in a code block, list or quote: it begins a line of the same kind, and ends the
 * list or quote on an empty one. Null elsewhere, where Enter sends.
 */
export function afterEnter(selected: Selected): Selected | null {
  const { text, start, end } = selected;
  const from = lineStart(text, start);
  const line = text.slice(from, lineEnd(text, end));
  if (isInCode(text.slice(0, start)))
    return replaceSelection(selected, `\n${indentationOf(text.slice(from, start))}`);
  const [opening = "", around = "", item = ""] = OPENING.exec(line) ?? [];
  if (!item && !around.includes(">")) return null;
  if (start - from < opening.trimEnd().length) return replaceSelection(selected, "\n");
  if (opening.trim() === line.trim()) return ended(text, from, line.length);
  return replaceSelection(selected, `\n${around}${nextItem(item)}`);
}

/** Return the text without the empty item or quote that Enter began at its end. */
export function withoutEmptyEnd(text: string): string {
  return text.replace(/\n[ \t>]*(?:>|[-*+]|\d{1,3}[.)])[ \t]+(?:\[ \][ \t]+)?$/, "");
}

/** Remove the empty line's mark. A blank line separates what follows, which would belong to the last item otherwise. */
function ended(text: string, from: number, length: number): Selected {
  const isFirst = from === 0 || text.slice(0, from).endsWith("\n\n");
  return replaceSelection({ text, start: from, end: from + length }, isFirst ? "" : "\n");
}

function nextItem(item: string): string {
  const [, number, mark] = /^(\d+)([.)])/.exec(item) ?? [];
  const next = number ? item.replace(number + (mark ?? ""), `${Number(number) + 1}${mark ?? ""}`) : item;
  return next.replace(/\[[xX]\]/, "[ ]");
}

const indentationOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";
