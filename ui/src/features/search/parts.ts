export interface Part {
  text: string;
  isFound: boolean;
}

/** Split a text at its highlights, whose positions count code points. */
export function splitHighlights(text: string, highlights: readonly number[][]): Part[] {
  const characters = [...text];
  const parts: Part[] = [];
  let at = 0;
  for (const [from = 0, to = 0] of highlights) {
    if (from < at || to <= from) continue;
    parts.push({ text: characters.slice(at, from).join(""), isFound: false });
    parts.push({ text: characters.slice(from, to).join(""), isFound: true });
    at = to;
  }
  parts.push({ text: characters.slice(at).join(""), isFound: false });
  return parts.filter((each) => each.text);
}
