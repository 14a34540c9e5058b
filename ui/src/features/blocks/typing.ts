/** What typing means in a block: pure rules. */
import { itemsOf, isWeb, textOf, type BlockType, type Content, type TodoItem } from "@/model/blocks/content";

export interface Kind {
  type: BlockType;
  content: Content;
}

/** The kinds that the menu offers, with the words that find them. */
export const KINDS = {
  paragraph: { type: "paragraph", content: {}, words: "text plain" },
  heading1: { type: "heading", content: { level: 1 }, words: "h1 title #" },
  heading2: { type: "heading", content: { level: 2 }, words: "h2 subtitle ##" },
  heading3: { type: "heading", content: { level: 3 }, words: "h3 ###" },
  list: { type: "list", content: { ordered: false }, words: "bullets ul -" },
  numbered: { type: "list", content: { ordered: true }, words: "ol 1." },
  todo: { type: "todo", content: {}, words: "task checkbox checklist []" },
  table: { type: "paragraph", content: {}, words: "grid rows columns" },
  code: { type: "code", content: {}, words: "snippet ```" },
  quote: { type: "quote", content: {}, words: "citation >" },
  callout: { type: "callout", content: {}, words: "note tip info" },
  divider: { type: "divider", content: {}, words: "line rule ---" },
  image: { type: "image", content: {}, words: "picture photo upload" },
  file: { type: "file", content: {}, words: "attachment upload pdf" },
} satisfies Record<string, Kind & { words: string }>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

const SHORTCUTS: [RegExp, KindName][] = [
  [/^# /, "heading1"],
  [/^## /, "heading2"],
  [/^### /, "heading3"],
  [/^[-*+] /, "list"],
  [/^1[.)] /, "numbered"],
  [/^\[ ?\] /, "todo"],
  [/^> /, "quote"],
  [/^``` ?/, "code"],
  [/^---$/, "divider"],
];

/** Return the kind that the typed beginning of a paragraph stands for, and the text after it. */
export function shortcutIn(text: string): { name: KindName; rest: string } | null {
  for (const [pattern, name] of SHORTCUTS) {
    const found = pattern.exec(text);
    if (found) return { name, rest: text.slice(found[0].length) };
  }
  return null;
}

/**
 * Return what is typed after a "/" at the caret, at the beginning of a block or after a space; null if there is
 * none.
 */
export function slashAt(text: string, caret: number): { from: number; query: string } | null {
  const found = /(?:^|\s)\/([\p{L}\p{N}#>[\]`.-]{0,20})$/u.exec(text.slice(0, caret));
  return found ? { from: caret - (found[1]?.length ?? 0) - 1, query: found[1] ?? "" } : null;
}

/** Return the kinds that match what is typed: the names that begin with it first. */
export function kindsFor(query: string, labels: Record<KindName, string>): KindName[] {
  const wanted = query.toLowerCase();
  const rank = (name: KindName) => {
    const label = labels[name].toLowerCase();
    if (label.startsWith(wanted)) return 0;
    return `${label} ${KINDS[name].words}`.split(" ").some((word) => word.startsWith(wanted)) ? 1 : 2;
  };
  return KIND_NAMES.filter((name) => rank(name) < 2).sort((a, b) => rank(a) - rank(b));
}

/** Return whether a new block has nothing to save yet. */
export function isEmpty(type: BlockType, content: Content): boolean {
  switch (type) {
    case "divider":
      return false;
    case "list":
      return itemsOf<string>(content).every((item) => !item.trim());
    case "todo":
      return itemsOf<TodoItem>(content).every((item) => !item.text.trim());
    case "image":
    case "file":
      return !isWeb(content.url);
    default:
      return !textOf(content).trim();
  }
}

/** Return whether a block has one text, which can be joined to that of another. */
export const hasText = (type: BlockType): boolean =>
  ["paragraph", "heading", "quote", "callout"].includes(type);

/** Return whether a block can be written in at all. */
export const isEditable = (type: BlockType): boolean => type !== "divider";

/** Return whether Enter begins a new line instead of a new block: in code, and in fences and lists written as Markdown. */
export function enterBeginsLine(type: BlockType, before: string): boolean {
  if (type === "code") return true;
  const fences = before.split("\n").filter((line) => /^ {0,3}(```|~~~)/.test(line)).length;
  return fences % 2 === 1;
}

/**
 * Return the position of a click in a source of Markdown, by the rendered text before it: the characters of the
 * source that are not shown are skipped.
 */
export function sourceOffset(source: string, shown: string): number {
  let at = 0;
  for (const character of shown) {
    if (/\s/.test(character)) continue;
    const found = source.indexOf(character, at);
    if (found >= 0) at = found + character.length;
  }
  return at;
}
