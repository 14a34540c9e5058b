import { describe, expect, it } from "vitest";
import { GRAMMARS } from "./grammars";
import { excerptOf } from "./excerpt";
import { highlight, loadGrammar, MAX_CHARACTERS } from "./highlight";
import { LANGUAGE_IDS, languageOf } from "./languages";
import { cutTokens, type Token } from "./token";
import { tokensOf } from "./tokens";

const textOf = (tokens: Token[]): string => tokens.map(([text]) => text).join("");

async function kindsOf(language: string, code: string): Promise<Record<string, string | null>> {
  await loadGrammar(language);
  const tokens = highlight(language, code);
  expect(textOf(tokens)).toBe(code);
  return Object.fromEntries(tokens.map(([text, kind]) => [text.trim(), kind]));
}

describe("highlighted code", () => {
  it("has the kinds of its words", async () => {
    expect(await kindsOf("python", 'def f(x):\n    return "<a>" + 1  # & so on')).toMatchObject({
      def: "keyword",
      f: "title",
      '"<a>"': "string",
      "1": "constant",
      "# & so on": "comment",
    });
    expect(await kindsOf("diff", "-a & b\n+c")).toEqual({ "-a & b": "deletion", "+c": "addition", "": null });
  });

  it("includes the languages embedded in another", async () => {
    expect(await kindsOf("xml", "<p><script>let a = 1</script></p>")).toMatchObject({
      let: "keyword",
      p: "tag",
    });
    expect(await kindsOf("typescript", "`a ${self.b} c`")).toMatchObject({ "`a": "string", "c`": "string" });
  });

  it.each(Object.keys(GRAMMARS))("of %s is the same code in tokens", async (language) => {
    const code = '#!x <a b="c"> & \'d\' `e` $f {{g}} */ // -- \\\n\t1.5e3 "😉\u0000&amp;';
    await loadGrammar(language);
    expect(textOf(highlight(language, code))).toBe(code);
  });

  it("is plain above the limits", async () => {
    await loadGrammar("json");
    const long = "1,".repeat(MAX_CHARACTERS);
    const tokens = highlight("json", long);
    expect(textOf(tokens)).toBe(long);
    expect(tokens.length).toBeLessThan(10_005);
    const [text = "", kind] = tokens.at(-1) ?? [];
    expect(kind).toBeNull();
    expect(text.length).toBeGreaterThan(long.length - MAX_CHARACTERS);
  });

  it("is cut at any length", () => {
    const tokens = tokensOf('<span class="hljs-keyword">if</span> a', "if a", 10);
    expect(tokens).toEqual([
      ["if", "keyword"],
      [" a", null],
    ]);
    expect([0, 1, 2, 3, 9].map((length) => textOf(cutTokens(tokens, length)))).toEqual([
      "",
      "i",
      "if",
      "if ",
      "if a",
    ]);
  });
});

describe("the language of a block", () => {
  it("has a name and a grammar", () => {
    expect(languageOf("py")).toEqual({ id: "python", label: "Python" });
    expect(languageOf("TypeScript")).toEqual({ id: "typescript", label: "TypeScript" });
    expect(languageOf("html")).toEqual({ id: "xml", label: "HTML" });
    expect(LANGUAGE_IDS.toSorted()).toEqual(Object.keys(GRAMMARS).toSorted());
  });

  it("is shown as typed if it is unknown, and not at all for plain text", () => {
    expect(languageOf("brainf")).toEqual({ id: null, label: "brainf" });
    expect(languageOf("x".repeat(1000))?.label).toHaveLength(24);
    for (const name of ["", "text", "TXT", "plain"]) expect(languageOf(name)).toBeNull();
  });
});

describe("a long block", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");

  it("shows its first lines", () => {
    expect(excerptOf(lines(30))).toBeNull();
    const excerpt = excerptOf(lines(699));
    expect(excerpt?.lines).toBe(699);
    expect(lines(699).slice(0, excerpt?.length)).toBe(lines(20));
  });

  it("shows the beginning of lines that are too long", () => {
    expect(excerptOf("x".repeat(8000))).toBeNull();
    expect(excerptOf("x".repeat(128 * 1024))).toEqual({ length: 4000, lines: 1 });
    expect(excerptOf(`${"x".repeat(9000)}\n`.repeat(40))?.length).toBe(4000);
  });
});
