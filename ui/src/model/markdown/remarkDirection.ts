interface Node {
  type: string;
  children?: Node[];
  data?: { hProperties?: Record<string, unknown> };
}

/** Let each paragraph, list and quote run in the direction of its first letter, as Arabic and Hebrew need. */
export function remarkDirection() {
  return (tree: Node): void => {
    for (const child of tree.children ?? []) {
      if (child.type === "code") continue;
      child.data = { ...child.data, hProperties: { ...child.data?.hProperties, dir: "auto" } };
    }
  };
}
