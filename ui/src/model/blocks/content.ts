import type { Schemas } from "@/api/client";

export type BlockType = Schemas["Block"]["type"];
export type Content = Record<string, unknown>;

export interface TodoItem {
  text: string;
  done: boolean;
}

export const textOf = (content: Content, name = "text"): string =>
  typeof content[name] === "string" ? content[name] : "";

/** The text of a block; a list has one line per item. */
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

/** The content of a block of a type with a text; `kept` are its other fields, such as level and language. */
export function withText(type: BlockType, text: string, kept: Content = {}): Content {
  const lines = text.split("\n");
  switch (type) {
    case "divider":
      return {};
    case "list":
      return { ordered: kept.ordered === true, items: lines };
    case "todo":
      return { items: lines.map((line) => ({ text: line, done: false })) };
    case "heading":
      return { level: Number(kept.level ?? 1), text: text.replaceAll("\n", " ") };
    case "code":
      return { language: textOf(kept, "language"), text };
    case "callout":
      return { emoji: textOf(kept, "emoji"), text };
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

/** Toggle one item of a to-do list. */
export const withTicked = ({ items }: Schemas["TodoContent"], index: number): Schemas["TodoContent"] => ({
  items: items.map((each, at) => (at === index ? { ...each, done: !each.done } : each)),
});

export const isWeb = (url: unknown): url is string =>
  typeof url === "string" && /^https?:\/\/\S+$/i.test(url);

/** Where the file of a block is, if it was uploaded to the page. */
export function fileOf(content: Content): string | null {
  return typeof content.attachment_id === "string"
    ? `/v2/attachments/${content.attachment_id}/content`
    : null;
}

/** Whether two contents are the same, in any order of their fields. */
export function sameContent(one: unknown, other: unknown): boolean {
  return inOrder(one) === inOrder(other);
}

function inOrder(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
