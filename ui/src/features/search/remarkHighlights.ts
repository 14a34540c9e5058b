/** Around each match in the source of an excerpt: private-use characters, which mean nothing in Markdown. */
const START = "\uE000";
const END = "\uE001";

interface Node {
  type: string;
  value?: string;
  alt?: string | null;
  children?: Node[];
  data?: unknown;
}

/** Put a mark around each highlight, whose positions count code points. */
export function withMarks(text: string, highlights: readonly number[][]): string {
  const characters = [...text.replace(/[\uE000\uE001]/g, "\uFFFD")];
  for (const [from = 0, to = 0] of highlights) {
    if (to <= from || to > characters.length) continue;
    characters[from] = START + characters[from];
    characters[to - 1] += END;
  }
  return characters.join("");
}

/** Turn the text between marks into `<mark>`; HTML is text, as in messages. */
export function remarkHighlights() {
  return (tree: Node): void => {
    let isFound = false;
    const highlight = (value: string): Node[] =>
      value.split(/([\uE000\uE001])/).flatMap((part) => {
        if (part === START || part === END) isFound = part === START;
        else if (part) return [isFound ? element("mark", [text(part)]) : text(part)];
        return [];
      });
    const walk = (node: Node): void => {
      node.children = node.children?.flatMap((child) => {
        if (child.type === "text" || child.type === "html") return highlight(child.value ?? "");
        if (child.type === "inlineCode" || child.type === "code")
          return [element("code", highlight(child.value ?? ""))];
        if (child.type === "image") return highlight(child.alt ?? "");
        walk(child);
        return [child];
      });
    };
    walk(tree);
  };
}

const text = (value: string): Node => ({ type: "text", value });
const element = (hName: string, children: Node[]): Node => ({ type: "element", data: { hName }, children });
