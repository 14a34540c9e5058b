import type { ExtraProps } from "react-markdown";

/** The code of a `<pre>`, and the name after its fence; indented code has none. */
export function codeOf(pre: ExtraProps["node"]): { language: string; code: string } {
  const [inner] = pre?.children ?? [];
  if (inner?.type !== "element") return { language: "", code: "" };
  const [text] = inner.children;
  const names = [inner.properties["className"] ?? []].flat().map(String);
  const language = names.find((each) => each.startsWith("language-"))?.slice("language-".length);
  return { language: language ?? "", code: text?.type === "text" ? text.value.replace(/\n$/, "") : "" };
}
