import type { Token, TokenKind } from "./token";

/** The kinds that have a color of their own. */
const KINDS: Record<TokenKind, string[]> = {
  keyword: ["doctag", "keyword", "template-tag", "template-variable", "type"],
  title: ["title", "section"],
  constant: [
    "attr",
    "attribute",
    "literal",
    "meta",
    "number",
    "operator",
    "variable",
    "selector-attr",
    "selector-class",
    "selector-id",
  ],
  string: ["regexp", "string"],
  builtin: ["built_in", "symbol", "bullet"],
  comment: ["comment", "code", "formula"],
  tag: ["name", "quote", "selector-tag", "selector-pseudo"],
  addition: ["addition"],
  deletion: ["deletion"],
};

const kindByClass = new Map<string, TokenKind>(
  Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind as TokenKind] as const)),
);
const PLAIN_INSIDE = new Set(["subst", "params", "function", "class"]);
const PIECE = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITY = /&(?:amp|lt|gt|quot|#x27);/g;
const CHARACTERS: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Read what highlight.js writes as HTML, with at most `maxTokens` tokens; the rest of the code is the last one. */
export function tokensOf(html: string, code: string, maxTokens: number): Token[] {
  const tokens: Token[] = [];
  const kinds: (TokenKind | null)[] = [null];
  let done = 0;
  for (const [piece, names] of html.matchAll(PIECE)) {
    if (names !== undefined) kinds.push(kindOf(names, kinds.at(-1) ?? null));
    else if (piece === "</span>") kinds.pop();
    else {
      const text = piece.replace(ENTITY, (entity) => CHARACTERS[entity] ?? entity);
      add(tokens, text, kinds.at(-1) ?? null);
      done += text.length;
      if (tokens.length >= maxTokens) break;
    }
  }
  if (done < code.length) add(tokens, code.slice(done), null);
  return tokens;
}

function kindOf(names: string, around: TokenKind | null): TokenKind | null {
  const [name = ""] = names.split(" ");
  const scope = name.replace("hljs-", "");
  if (names.includes("language_")) return "keyword"; // self, this
  return PLAIN_INSIDE.has(scope) ? null : (kindByClass.get(scope) ?? around);
}

function add(tokens: Token[], text: string, kind: TokenKind | null): void {
  const last = tokens.at(-1);
  if (last?.[1] === kind) tokens[tokens.length - 1] = [last[0] + text, kind];
  else if (text) tokens.push([text, kind]);
}
