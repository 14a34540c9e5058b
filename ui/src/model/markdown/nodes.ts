/** A node of Markdown. */
export interface Node {
  type: string;
  value?: string;
  url?: string;
  position?: { start: { offset?: number }; end: { offset?: number } };
  children?: Node[];
  data?: unknown;
}

export const textNode = (value: string): Node => ({ type: "text", value });

/** Return a node that becomes a `<span>` with an attribute, for a component to show. */
export const spanNode = (type: string, value: string): Node => ({
  type,
  data: { hName: "span", hProperties: { [`data-${type}`]: value } },
  children: [],
});

/** Replace all text outside code, also that of links unless they are left out. */
export function replaceTexts(node: Node, replace: (text: string) => Node[], inLinks = true): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === "text") return replace(child.value ?? "");
    if (child.type !== "link" || inLinks) replaceTexts(child, replace, inLinks);
    return [child];
  });
}

/** Return the attribute that `spanNode` gave an element. */
export function spanValue(
  node: { properties: Record<string, unknown> } | undefined,
  type: string,
): string | undefined {
  const name = type.charAt(0).toUpperCase() + type.slice(1);
  const value = node?.properties[`data${name}`] ?? node?.properties[`data-${type}`];
  return typeof value === "string" ? value : undefined;
}
