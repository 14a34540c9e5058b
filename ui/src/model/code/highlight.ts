import hljs from "highlight.js/lib/core";
import { EMBEDDED, GRAMMARS } from "./grammars";
import type { Token } from "./token";
import { tokensOf } from "./tokens";

/** Limits above which the rest of a block is not highlighted. */
export const MAX_CHARACTERS = 50_000;
const MAX_TOKENS = 10_000;

/** Load the grammar of a language and of what can be embedded in it. */
export async function loadGrammar(language: string): Promise<void> {
  const missing = [language, ...(EMBEDDED[language] ?? [])].filter((id) => !hljs.getLanguage(id));
  await Promise.all(
    missing.map(async (id) => {
      const grammar = await GRAMMARS[id]?.();
      if (grammar) hljs.registerLanguage(id, grammar.default);
    }),
  );
}

/** Split code into tokens, in a language whose grammar is loaded. */
export function highlight(language: string, code: string): Token[] {
  const { value } = hljs.highlight(code.slice(0, MAX_CHARACTERS), { language, ignoreIllegals: true });
  return tokensOf(value, code, MAX_TOKENS);
}
