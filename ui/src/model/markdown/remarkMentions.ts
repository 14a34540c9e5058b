import { MENTION } from "./mentions";
import { replaceTexts, spanNode, textNode, type Node } from "./nodes";

/** Outside code, turn mentions into elements and line breaks into `<br>`. */
export function remarkMentions() {
  return (tree: Node): void => replaceTexts(tree, inline);
}

function inline(text: string): Node[] {
  return text
    .split("\n")
    .flatMap((line, index) => (index > 0 ? [{ type: "break" }, ...mentions(line)] : mentions(line)));
}

function mentions(text: string): Node[] {
  return text
    .split(MENTION)
    .map((part, index) => (index % 2 ? spanNode("mention", part.toLowerCase()) : textNode(part)));
}
