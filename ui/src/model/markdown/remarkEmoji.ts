interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: unknown;
}

/** Short names such as `:wink:` or `:wave::skin-tone-3:`, one after the other; not in `std::sort::x` or 10:30:00. */
const RUN = /(^|[^\p{L}\p{N}_:])((?::[a-z0-9_+-]+:)+)(?![\p{L}\p{N}_:])/gu;
const NAME = /:([a-z0-9_+-]+(?:::skin-tone-\d)?):/g;

/** Outside code and links, turn short names of emoji into elements. */
export function remarkEmoji() {
  return (tree: Node): void => walk(tree);
}

function walk(node: Node): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === "text") return withEmoji(child.value ?? "");
    if (child.type !== "link") walk(child); // addresses contain colons
    return [child];
  });
}

function withEmoji(value: string): Node[] {
  const nodes: Node[] = [];
  let done = 0;
  for (const { index, 1: before = "", 2: run = "" } of value.matchAll(RUN)) {
    const start = index + before.length;
    nodes.push(
      text(value.slice(done, start)),
      ...[...run.matchAll(NAME)].map(([, name = ""]) => emoji(name)),
    );
    done = start + run.length;
  }
  return [...nodes, text(value.slice(done))].filter((each) => each.value !== "");
}

const text = (value: string): Node => ({ type: "text", value });

const emoji = (name: string): Node => ({
  type: "emoji",
  data: { hName: "span", hProperties: { "data-emoji": name } },
  children: [],
});
