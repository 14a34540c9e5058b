import { MENTION } from "./mentions";

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: unknown;
}

/** Outside code, turn mentions into elements and line breaks into `<br>`. */
export function remarkMentions() {
  return (tree: Node): void => walk(tree);
}

function walk(node: Node): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === "text") return inline(child.value ?? "");
    walk(child);
    return [child];
  });
}

function inline(text: string): Node[] {
  return text
    .split("\n")
    .flatMap((line, index) => (index > 0 ? [{ type: "break" }, ...mentions(line)] : mentions(line)));
}

function mentions(text: string): Node[] {
  return text
    .split(MENTION)
    .map((part, index) => (index % 2 ? mention(part.toLowerCase()) : { type: "text", value: part }));
}

const mention = (id: string): Node => ({
  type: "mention",
  data: { hName: "span", hProperties: { "data-mention": id } },
  children: [],
});
