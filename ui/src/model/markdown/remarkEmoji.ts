import { IN_WORD } from "./scripts";
import { replaceTexts, spanNode, textNode, type Node } from "./nodes";

/** Short names such as `:wink:` or `:wave::skin-tone-3:`, one after the other; not in `std::sort::x` or 10:30:00. */
const RUN = new RegExp(`(?<!${IN_WORD}|:)((?::[a-z0-9_+-]+:)+)(?!${IN_WORD}|:)`, "gu");
const NAME = /:([a-z0-9_+-]+(?:::skin-tone-\d)?):/g;

/** Outside code and links, turn short names of emoji into elements. */
export function remarkEmoji() {
  return (tree: Node): void => replaceTexts(tree, withEmoji, false); // addresses contain colons
}

function withEmoji(value: string): Node[] {
  const nodes: Node[] = [];
  let done = 0;
  for (const { index, 1: run = "" } of value.matchAll(RUN)) {
    nodes.push(
      textNode(value.slice(done, index)),
      ...[...run.matchAll(NAME)].map(([, name = ""]) => spanNode("emoji", name)),
    );
    done = index + run.length;
  }
  return [...nodes, textNode(value.slice(done))].filter((each) => each.value !== "");
}
