import { replaceTexts, spanNode, textNode, type Node } from "./nodes";

/** Short names such as `:wink:` or `:wave::skin-tone-3:`, one after the other; not in `std::sort::x` or 10:30:00. */
const RUN = /(^|[^\p{L}\p{N}_:])((?::[a-z0-9_+-]+:)+)(?![\p{L}\p{N}_:])/gu;
const NAME = /:([a-z0-9_+-]+(?:::skin-tone-\d)?):/g;

/** Outside code and links, turn short names of emoji into elements. */
export function remarkEmoji() {
  return (tree: Node): void => replaceTexts(tree, withEmoji, false); // addresses contain colons
}

function withEmoji(value: string): Node[] {
  const nodes: Node[] = [];
  let done = 0;
  for (const { index, 1: before = "", 2: run = "" } of value.matchAll(RUN)) {
    const start = index + before.length;
    nodes.push(
      textNode(value.slice(done, start)),
      ...[...run.matchAll(NAME)].map(([, name = ""]) => spanNode("emoji", name)),
    );
    done = start + run.length;
  }
  return [...nodes, textNode(value.slice(done))].filter((each) => each.value !== "");
}
