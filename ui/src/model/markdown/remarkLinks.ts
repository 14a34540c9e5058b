import { textNode, type Node } from "./nodes";

/** Punctuation after which no space is written, and typographic marks: they end an address in a text. */
const END =
  /[\u3001\u3002\u3008-\u3011\u3014-\u301F\uFF01\uFF08\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\uFF3B\uFF3D\uFF5B\uFF5D\uFF61-\uFF64\u2018-\u201F\u2026\u060C\u061B\u061F\u06D4\u0589\u0964\u0965]/u;
/** A host in Latin letters to which text in another script is joined, as in "example.comを". */
const JOINED_HOST = /^(?:https?:\/\/|www\.)[a-z\d.-]*\.[a-z]{2,}(?=[^\x00-\x7F][^./?#]*$)/i;
const ADDRESS = /https?:\/\/[^\s<]+/i;

/**
 * End an address that was written without brackets where its script's punctuation does. GitHub's Markdown ends it at a
 * space, which Chinese, Japanese and others do not write.
 */
export function remarkLinks() {
  return (tree: Node): void => shorten(tree);
}

function shorten(node: Node): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type !== "link") shorten(child);
    return isPlainAddress(child) ? parts(child.url ?? "", child.children?.[0]?.value ?? "") : [child];
  });
}

/** Return whether a link is an address as it was written: its text is its whole source. */
function isPlainAddress({ type, children, position }: Node): boolean {
  const [text, ...others] = children ?? [];
  const length = (position?.end.offset ?? 0) - (position?.start.offset ?? 0);
  return type === "link" && others.length === 0 && text?.value?.length === length;
}

/** Return a link, then the text that is not part of its address, in which other addresses may be. */
function parts(url: string, text: string): Node[] {
  const at = JOINED_HOST.exec(text)?.[0].length ?? text.search(END);
  const end = at < 0 ? text.length : at;
  const rest = text.slice(end);
  const link = {
    type: "link",
    url: url.slice(0, url.length - rest.length),
    children: [textNode(text.slice(0, end))],
  };
  const next = rest.search(ADDRESS);
  if (next < 0) return rest ? [link, textNode(rest)] : [link];
  return [link, textNode(rest.slice(0, next)), ...parts(rest.slice(next), rest.slice(next))];
}
