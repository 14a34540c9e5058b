export const TYPES = [
  "paragraph",
  "heading",
  "list",
  "todo",
  "code",
  "quote",
  "callout",
  "divider",
  "image",
  "file",
] as const;

export type BlockType = (typeof TYPES)[number];
type Content = Record<string, unknown>;

interface TodoItem {
  text: string;
  done: boolean;
}

const textOf = (content: Content, name = "text"): string =>
  typeof content[name] === "string" ? content[name] : "";
const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim());

/** The content of a block as text to edit; a list has one line per item. */
export function asText(type: BlockType, content: Content): string {
  switch (type) {
    case "list":
      return itemsOf<string>(content).join("\n");
    case "todo":
      return itemsOf<TodoItem>(content)
        .map((item) => `[${item.done ? "x" : " "}] ${item.text}`)
        .join("\n");
    case "image":
    case "file":
      return textOf(content, "url");
    default:
      return textOf(content);
  }
}

/** Replace the text of a block's content; other fields, such as level and language, stay. */
export function withText(type: BlockType, content: Content, text: string): Content {
  switch (type) {
    case "divider":
      return {};
    case "list":
      return { ...content, items: linesOf(text) };
    case "todo":
      return { items: linesOf(text).map(todoItem) };
    case "image":
    case "file":
      return { ...content, url: text.trim() };
    case "heading":
      return { ...content, text: text.replaceAll("\n", " ").trim() };
    default:
      return { ...content, text };
  }
}

function todoItem(line: string): TodoItem {
  const found = /^\s*(?:[-*] )?\[([ xX]?)\] ?(.*)$/.exec(line);
  return found
    ? { done: found[1]?.toLowerCase() === "x", text: found[2] ?? "" }
    : { done: false, text: line.trim() };
}

export function itemsOf<Item>(content: Content): Item[] {
  return Array.isArray(content.items) ? (content.items as Item[]) : [];
}

/** Toggle one item of a to-do list. */
export function withTicked(content: Content, index: number): Content {
  return {
    items: itemsOf<TodoItem>(content).map((each, at) =>
      at === index ? { ...each, done: !each.done } : each,
    ),
  };
}

export const isWeb = (url: unknown): url is string => typeof url === "string" && /^https?:\/\//i.test(url);
