import { describe, expect, it } from "vitest";
import { afterEnter, withoutEmptyEnd } from "./enter";
import { FORMATS, formatOf } from "./formats";
import { difference, type Selected } from "@/model/writing/edits";
import { toLink } from "./formatting";
import { toCodeBlock, toggleLinePrefix, type LineFormat } from "./lines";
import { linkPasted } from "./pasting";
import { markdownTable, rowsOfTabs } from "./tables";

/** A text with its selection between bars; one bar is a caret. */
function at(marked: string): Selected {
  const start = marked.indexOf("|");
  const end = marked.lastIndexOf("|");
  return { text: marked.replaceAll("|", ""), start, end: Math.max(start, end - 1) };
}

function shown(selected: Selected | null): string | null {
  if (!selected) return null;
  const { text, start, end } = selected;
  const bars = start === end ? "|" : `|${text.slice(start, end)}|`;
  return text.slice(0, start) + bars + text.slice(end);
}

describe("Enter", () => {
  it.each([
    ["- one|", "- one\n- |"],
    ["* one\n* two|", "* one\n* two\n* |"],
    ["1. one|", "1. one\n2. |"],
    ["9) nine|", "9) nine\n10) |"],
    ["  - in|", "  - in\n  - |"],
    ["- [x] done|", "- [x] done\n- [ ] |"],
    ["> said|", "> said\n> |"],
    ["> - said|", "> - said\n> - |"],
    ["- one| two", "- one\n- | two"],
    ["- |one|\n- two", "- \n- |\n- two"],
    ["|- one", "\n|- one"],
  ])("continues %j", (before, after) => expect(shown(afterEnter(at(before)))).toBe(after));

  it.each([
    ["- one\n- |", "- one\n\n|"],
    ["1. one\n2. |\nmore", "1. one\n\n|\nmore"],
    ["- [ ] |", "|"],
    ["> said\n> |", "> said\n\n|"],
    ["so\n\n- |", "so\n\n|"],
  ])("ends the list or quote at the empty %j", (before, after) =>
    expect(shown(afterEnter(at(before)))).toBe(after),
  );

  it.each([
    ["```py|", "```py\n|"],
    ["```\n  a|", "```\n  a\n  |"],
    ["```\n- a|", "```\n- a\n|"],
  ])("begins a line in the code of %j, as far in as the last", (before, after) =>
    expect(shown(afterEnter(at(before)))).toBe(after),
  );

  it.each(["|", "one|", "-|", "-one|", "1.5|", "2026. was|", "```\na\n```|", "--- |"])("sends %j", (before) =>
    expect(afterEnter(at(before))).toBeNull(),
  );
});

describe("the end of a message", () => {
  it.each([
    ["- one\n- ", "- one"],
    ["1. one\n2. ", "1. one"],
    ["- [ ] a\n- [ ] ", "- [ ] a"],
    ["> a\n> - ", "> a"],
    ["a\n-", "a\n-"],
    ["- ", "- "],
    ["- one\n- two", "- one\n- two"],
  ])("of %j is sent without an empty item", (text, sent) => expect(withoutEmptyEnd(text)).toBe(sent));
});

describe("lists, quotes and code", () => {
  it.each<[LineFormat, string, string]>([
    ["bullets", "one|", "- one|"],
    ["bullets", "|", "- |"],
    ["bullets", "a\n|one\ntwo|\nb", "a\n|- one\n- two|\nb"],
    ["numbers", "|one\n\ntwo|", "|1. one\n\n2. two|"],
    ["numbers", "|- one\n- two|", "|1. one\n2. two|"],
    ["bullets", "|- one\n- two|", "|one\ntwo|"],
    ["bullets", "- one|", "one|"],
    ["quote", "|one\n\ntwo|", "|> one\n> \n> two|"],
    ["quote", "> one|", "one|"],
    ["quote", "|one\n|two", "|> one|\ntwo"],
  ])("%s: %j becomes %j", (format, before, after) =>
    expect(shown(toggleLinePrefix(at(before), format))).toBe(after),
  );

  it.each([
    ["|", "```\n|\n```"],
    ["see |a()| here", "see \n```\n|a()|\n```\n here"],
    ["|a\nb|", "```\n|a\nb|\n```"],
    ["|```|", "````\n|```|\n````"],
  ])("%j is put into a block of its own", (before, after) =>
    expect(shown(toCodeBlock(at(before)))).toBe(after),
  );

  it.each([
    ["see |this|", "see [this](|https://|)"],
    ["|https://a.example|", "[|](https://a.example)"],
    ["|", "[|](https://)"],
  ])("%j becomes a link", (before, after) => expect(shown(toLink(at(before)))).toBe(after));

  it("have one shortcut each, on any keyboard", () => {
    const press = { key: "b", code: "KeyB", ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };
    expect(formatOf(press)?.name).toBe("bold");
    expect(formatOf({ ...press, key: "*", code: "Digit8", shiftKey: true })?.name).toBe("bullets");
    expect(formatOf({ ...press, key: "X", code: "KeyX", shiftKey: true })?.name).toBe("strikethrough");
    expect(formatOf({ ...press, ctrlKey: false })).toBeUndefined();
    expect(formatOf({ ...press, altKey: true })).toBeUndefined();
    expect(new Set(FORMATS.map(({ keys }) => keys)).size).toBe(FORMATS.length);
  });

  it("never cut an emoji in two", () => {
    expect(difference("a😀", "a😁")).toEqual({ from: 1, to: 3, by: "😁" });
    expect(difference("\u{1F600}b", "\u{1FA00}b")).toEqual({ from: 0, to: 2, by: "\u{1FA00}" });
  });
});

describe("a pasted address", () => {
  it("makes the selected text a link", () => {
    expect(shown(linkPasted(at("see |this| now"), "https://a.example/b_(c)"))).toBe(
      "see [this](https://a.example/b_%28c%29)| now",
    );
  });

  it.each([
    ["see |", "https://a.example"],
    ["see |this|", "not an address"],
    ["see |this|", "javascript:alert(1)"],
    ["|https://b.example|", "https://a.example"],
    ["|a\nb|", "https://a.example"],
    ["[this](|https://|)", "https://a.example"],
  ])("is text otherwise: %j, %j", (before, address) => expect(linkPasted(at(before), address)).toBeNull());
});

describe("a pasted sheet", () => {
  it("becomes a table, with numbers on the right", () => {
    const rows = rowsOfTabs("Station\tm/s\r\nNorth | 1\t12.5\r\nSouth\t-3\r\n");
    expect(markdownTable(rows ?? [])).toBe(
      "| Station | m/s |\n| --- | --: |\n| North \\| 1 | 12.5 |\n| South | -3 |",
    );
  });

  it.each(["one\ttwo", "one\ntwo", "a\tb\nc", "\ta\n\tb", "", "a\tb\n\n"])("is text otherwise: %j", (text) =>
    expect(rowsOfTabs(text)).toBeNull(),
  );
});
