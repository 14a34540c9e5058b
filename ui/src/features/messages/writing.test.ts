import { describe, expect, it } from "vitest";
import { isInCode, toggleMarks } from "./composer/formatting";
import { excessOf, splitForFile } from "./composer/tooLong";
import { isShortName } from "@/model/emoji/emoji";
import { EMOJI, emojiOf, findEmoji } from "@/model/emoji/emojiList";
import { reactionsAfter } from "./row/changes";

describe("the composer", () => {
  it("puts marks around the selection and takes them away again", () => {
    const bold = toggleMarks({ text: "a b c", start: 2, end: 3 }, "**");
    expect(bold).toEqual({ text: "a **b** c", start: 4, end: 5 });
    expect(toggleMarks(bold, "**")).toEqual({ text: "a b c", start: 2, end: 3 });
  });
});

describe("Enter", () => {
  it.each(["```", "```py", "a\n```py\nprint()", "~~~\n```", "```\na\n``` b", "````\n```"])(
    "begins a line in the code of %j",
    (before) => expect(isInCode(before)).toBe(true),
  );

  it.each(["", "a", "`a`", "```a```", "```\na\n```", "```py\na\n```\nand b", "a ```"])(
    "sends after %j",
    (before) => expect(isInCode(before)).toBe(false),
  );
});

describe("a text that is too long", () => {
  it("is counted in characters, as the server counts", () => {
    expect(excessOf("a".repeat(40_000))).toBe(0);
    expect(excessOf("a".repeat(40_001))).toBe(1);
    expect(excessOf("😉".repeat(40_000))).toBe(0);
    expect(excessOf("😉".repeat(40_002))).toBe(2);
  });

  it("leaves the message what was typed, and the file what was pasted", () => {
    const log = "x".repeat(50_000);
    expect(splitForFile(`See: ${log}!`, log)).toEqual({ file: log, rest: "See: !" });
  });

  it("goes into the file as a whole if what was pasted has changed or is not the reason", () => {
    const text = "x".repeat(50_000);
    expect(splitForFile(text, "elsewhere")).toEqual({ file: text, rest: "" });
    expect(splitForFile(text, "xx")).toEqual({ file: text, rest: "" });
    expect(splitForFile(text, "")).toEqual({ file: text, rest: "" });
  });
});

describe("reactions", () => {
  it("are put and taken away once a person, in order", () => {
    const both = reactionsAfter([{ emoji: "+1", user_ids: ["a"] }], "+1", "b", true);
    expect(both).toEqual([{ emoji: "+1", user_ids: ["a", "b"] }]);
    expect(reactionsAfter(both, "+1", "b", true)).toEqual(both);
    expect(reactionsAfter([{ emoji: "+1", user_ids: ["b"] }], "+1", "b", false)).toEqual([]);
  });

  it("by short name are shown as emoji where there is one", () => {
    expect(emojiOf("+1")).toBe("👍");
    expect(emojiOf("wave::skin-tone-3")).toBe("👋");
    expect(emojiOf("racket")).toBe(":racket:");
    expect(isShortName("+1")).toBe(true);
    expect(isShortName("👩‍💻")).toBe(false);
  });
});

describe("the emoji to choose from", () => {
  it("are each in the form that keyboards type, so that one reaction does not become two", () => {
    const standard = new RegExp("^\\p{RGI_Emoji}$", "v");
    expect(EMOJI.length).toBeGreaterThan(1800);
    expect(EMOJI.filter(({ emoji }) => !standard.test(emoji))).toEqual([]);
    expect(new Set(EMOJI.map(({ emoji }) => emoji)).size).toBe(EMOJI.length);
  });

  it.each([
    ["", "👍"],
    ["tada", "🎉"],
    [":+1:", "👍"],
    ["launch", "🚀"],
    ["check_mark", "✅"],
  ])("are found by %j", (typed, first) => {
    expect(findEmoji(typed)[0]?.emoji).toBe(first);
  });
});
