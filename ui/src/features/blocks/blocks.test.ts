import { describe, expect, it } from "vitest";
import { levelsOf, numbersOf, sameContent, withText } from "@/model/blocks/content";
import { aBlock, PAGE } from "@/model/blocks/page.fixture";
import { placeAfter, placeBefore, rowsOf, type Draft } from "./rows";
import { NEW_TABLE, tableIn, tableText, withCell, withoutColumn, withoutRow, withRow } from "./table";
import { enterBeginsLine, isEmpty, kindsFor, shortcutIn, slashAt, sourceOffset } from "./typing";
import { blocks as texts } from "@/texts/blocks";

const draft = (key: string, after: string | null): Draft => ({
  ...{ key, after, type: "paragraph", content: { text: "" } },
  ...{ block: null, before: null, saved: null, theirs: null, problem: "", upload: null },
});
const rows = (...drafts: Draft[]) => rowsOf(PAGE, drafts, (id) => id);
const keys = (...drafts: Draft[]) => rows(...drafts).map((each) => each.key);

it("the items of a list have numbers of their own on each level", () => {
  expect(numbersOf([0, 0, 1, 1, 2, 1, 0])).toEqual([1, 2, 1, 2, 1, 3, 3]);
  expect(levelsOf("list", { items: ["a", "b", "c"], levels: [0, 1] })).toEqual([0, 1, 0]);
});

describe("rows", () => {
  it("have new blocks below what they follow, and what is under that", () => {
    expect(keys(draft("new", null))[0]).toBe("new");
    expect(keys(draft("new", "b")).slice(4)).toEqual(["b", "new", "c"]);
    expect(keys(draft("new", "a1")).slice(0, 5)).toEqual(["a", "a1", "a11", "new", "a2"]);
    expect(keys(draft("one", "b"), draft("two", "one"), draft("three", "b")).slice(4)).toEqual([
      "b",
      "three",
      "one",
      "two",
      "c",
    ]);
    expect(keys(draft("lost", "unknown")).at(-1)).toBe("lost");
  });

  it("give new blocks their place", () => {
    const all = rows(draft("one", "a1"), draft("two", "one"), draft("first", null));
    expect(placeAfter(all, "one")).toEqual({ parentId: "a", position: 1 });
    expect(placeAfter(all, "two")).toEqual({ parentId: "a", position: 1 });
    expect(placeAfter(all, "first")).toEqual({ parentId: null, position: 0 });
    expect(placeAfter(all, "unknown")).toEqual({ parentId: null, position: 4 });
  });

  it("take a block that is dropped between them", () => {
    const [a, c] = [aBlock("a", 0), aBlock("c", 2)];
    expect(placeBefore(rows(), 0, c)).toEqual({ parentId: null, position: 0 });
    expect(placeBefore(rows(), 5, a)).toEqual({ parentId: null, position: 1 });
    expect(placeBefore(rows(), 6, a)).toEqual({ parentId: null, position: 2 });
    expect(placeBefore(rows(), 3, c)).toEqual({ parentId: "a", position: 1 });
    expect(placeBefore(rows(), 2, a)).toBeNull();
  });
});

describe("typing", () => {
  it.each([
    ["# x", "heading1", "x"],
    ["## ", "heading2", ""],
    ["- tea", "list", "tea"],
    ["1. tea", "numbered", "tea"],
    ["[] tea", "todo", "tea"],
    ["> x", "quote", "x"],
    ["---", "divider", ""],
  ])("%s chooses %s", (text, name, rest) => expect(shortcutIn(text)).toEqual({ name, rest }));

  it.each(["#x", "-", "a - b", "1.5", "//"])("%s chooses nothing", (text) =>
    expect(shortcutIn(text)).toBeNull(),
  );

  it("a slash offers types at the beginning and after a space", () => {
    expect(slashAt("/li", 3)).toEqual({ from: 0, query: "li" });
    expect(slashAt("see /t", 6)).toEqual({ from: 4, query: "t" });
    for (const text of ["and/or", "https://x", "/a b"]) expect(slashAt(text, text.length)).toBeNull();
  });

  it("types are found by name and by other words", () => {
    expect(kindsFor("", texts.kinds)).toHaveLength(Object.keys(texts.kinds).length);
    expect(kindsFor("cod", texts.kinds)).toEqual(["code"]);
    expect(kindsFor("h2", texts.kinds)).toEqual(["heading2"]);
    expect(kindsFor("t", texts.kinds).slice(0, 3)).toEqual(["paragraph", "todo", "table"]);
    expect(kindsFor("zzz", texts.kinds)).toEqual([]);
  });

  it("Enter begins a line in code and in a fence", () => {
    expect(enterBeginsLine("code", "x")).toBe(true);
    expect(enterBeginsLine("paragraph", "```\nx")).toBe(true);
    expect(enterBeginsLine("paragraph", "```\nx\n```")).toBe(false);
  });

  it("only what has something is saved", () => {
    expect(isEmpty("paragraph", { text: " " })).toBe(true);
    expect(isEmpty("list", withText("list", ""))).toBe(true);
    expect(isEmpty("image", { url: "https://" })).toBe(true);
    expect(isEmpty("todo", withText("todo", "x"))).toBe(false);
    expect(isEmpty("divider", {})).toBe(false);
  });

  it("a click in rendered Markdown puts the caret at the same place of the source", () => {
    expect(sourceOffset("some **bold** word", "some bo")).toBe("some **bo".length);
    expect(sourceOffset("[a link](https://x.y) and", "a link a")).toBe("[a link](https://x.y) a".length);
    expect(sourceOffset("plain", "")).toBe(0);
  });
});

it("contents are the same in any order of their fields", () => {
  expect(sameContent({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(sameContent({ items: ["a", "b"] }, { items: ["b", "a"] })).toBe(false);
});

describe("a table", () => {
  const text = "| a | b \\| c |\n| :-- | --- |\n| 1 |  |";

  it("is read from Markdown and written as it was", () => {
    const table = tableIn(text);
    expect(table?.rows).toEqual([
      ["a", "b | c"],
      ["1", ""],
    ]);
    expect(table && tableText(table)).toBe(text);
  });

  it.each(["| a |", "a | b\n--- | ---", "| a |\n| --- | --- |", `${text}\nand more`])("is not %j", (other) =>
    expect(tableIn(other)).toBeNull(),
  );

  it("is changed cell by cell, and keeps a header, a row and a column", () => {
    expect(tableText(withCell(NEW_TABLE, 1, 1, "x\ny"))).toContain("|  | x y |");
    expect(withRow(NEW_TABLE).rows).toHaveLength(4);
    expect(withoutRow(withoutRow(NEW_TABLE, 2), 1).rows).toHaveLength(2);
    expect(withoutRow(NEW_TABLE, 0).rows).toHaveLength(3);
    expect(withoutColumn(withoutColumn(NEW_TABLE, 0), 0).marks).toHaveLength(1);
  });
});
