import type { Schemas } from "@/api/client";

export type BlockType = Schemas["Block"]["type"];
export type Content = Record<string, unknown>;

export interface TodoItem {
  text: string;
  done: boolean;
  /** How deeply it is nested. */
  level?: number;
}

export const MAX_LEVEL = 5;

export const textOf = (content: Content, name = "text"): string =>
  typeof content[name] === "string" ? content[name] : "";

/** Return the text of a block; a list has one line per item. */
export function asText(type: BlockType, content: Content): string {
  switch (type) {
    case "list":
      return itemsOf<string>(content).join("\n");
    case "todo":
      return itemsOf<TodoItem>(content)
        .map((item) => item.text)
        .join("\n");
    case "image":
    case "file":
      return textOf(content, "caption") || textOf(content, "name") || textOf(content, "url");
    default:
      return textOf(content);
  }
}

/** Return the level of a heading, 1 to 3; undefined for other blocks. */
export const levelOf = (type: BlockType, content: Content): number | undefined =>
  type === "heading" ? Number(content.level ?? 1) : undefined;

/** Return the content of a block of a type with a text; `rest` are its other fields, such as level and language. */
export function withText(type: BlockType, text: string, rest: Content = {}): Content {
  const lines = text.split("\n");
  switch (type) {
    case "divider":
      return {};
    case "list":
      return { ordered: rest.ordered === true, items: lines };
    case "todo":
      return { items: lines.map((line) => ({ text: line, done: false })) };
    case "heading":
      return { level: Number(rest.level ?? 1), text: text.replaceAll("\n", " ") };
    case "code":
      return { language: textOf(rest, "language"), text };
    case "callout":
      return { emoji: textOf(rest, "emoji"), text };
    case "image":
    case "file":
      return { url: text.trim() };
    default:
      return { text };
  }
}

export function itemsOf<Item>(content: Content): Item[] {
  return Array.isArray(content.items) ? (content.items as Item[]) : [];
}

/** Return how deeply each item of a list is nested. */
export function levelsOf(type: BlockType, content: Content): number[] {
  const given = Array.isArray(content.levels) ? (content.levels as number[]) : [];
  return type === "todo"
    ? itemsOf<TodoItem>(content).map((item) => item.level ?? 0)
    : itemsOf<string>(content).map((_, at) => given[at] ?? 0);
}

/** Return the number of each item among those next to it on its level. */
export function numbersOf(levels: number[]): number[] {
  const counts: number[] = [];
  return levels.map((level) => {
    counts.length = Math.min(counts.length, level + 1);
    return (counts[level] = (counts[level] ?? 0) + 1);
  });
}

/** Return the attributes of an item of a list that show how deeply it is nested, and its number. */
export function nesting(levels: number[], at: number): React.LiHTMLAttributes<HTMLLIElement> {
  const level = levels[at] ?? 0;
  return {
    "aria-level": level + 1,
    value: numbersOf(levels)[at],
    style: level > 0 ? { marginInlineStart: `${level * 24}px` } : undefined,
  };
}

/** Toggle one item of a to-do list. */
export const toggleItem = ({ items }: Schemas["TodoContent"], index: number): Schemas["TodoContent"] => ({
  items: items.map((each, at) => (at === index ? { ...each, done: !each.done } : each)),
});

export const isWeb = (url: unknown): url is string =>
  typeof url === "string" && /^https?:\/\/\S+$/i.test(url);

/** Return the URL of a block's file, if it was uploaded to the page. */
export function fileOf(content: Content): string | null {
  return typeof content.attachment_id === "string"
    ? `/v2/attachments/${content.attachment_id}/content`
    : null;
}

/** Return whether two contents are the same, in any order of their fields. */
export function sameContent(one: unknown, other: unknown): boolean {
  return stableJson(one) === stableJson(other);
}

function stableJson(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
