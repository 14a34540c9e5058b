/** The kinds of words that have a color. */
export type TokenKind =
  "keyword" | "title" | "constant" | "string" | "builtin" | "comment" | "tag" | "addition" | "deletion";

/** A piece of code and its kind; null where nothing is highlighted. */
export type Token = readonly [text: string, kind: TokenKind | null];

/** Return the beginning of the tokens, `length` characters long. */
export function cutTokens(tokens: Token[], length: number): Token[] {
  const cut: Token[] = [];
  let left = length;
  for (const [text, kind] of tokens) {
    if (left <= 0) break;
    cut.push([text.slice(0, left), kind]);
    left -= text.length;
  }
  return cut;
}
