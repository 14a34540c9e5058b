import { describe, expect, it } from "vitest";
import { typedName, withIds, withNames } from "@/model/markdown/mentions";
import { follow } from "./composer/chosen";
import { suggestions } from "./composer/suggestions";
import { insertCompletion, difference, isInCode, toggleMarks } from "./composer/formatting";
import { excessOf, splitForFile } from "./composer/tooLong";
import { isShortName } from "@/model/emoji/emoji";
import { EMOJI, emojiOf, findEmoji } from "@/model/emoji/emojiList";
import { reactionsAfter } from "./row/changes";

const ADA = "01936f4e-8f2a-7c31-9d4b-5e6f70819203";
const ADAM = "01936f4e-8f2a-7c31-9d4b-5e6f70819204";

const chosen = (at: number, name: string, id: string) => ({ at, name, id });
const typing = (text: string, mentions = [chosen(0, "Ada", ADA)]) => ({ text, mentions });

describe("mentions", () => {
  it("are sent as ids, at their places alone", () => {
    const both = [chosen(0, "Ada Lovelace", ADAM), chosen(18, "Ada", ADA)];
    expect(withIds("@Ada Lovelace and @Ada, not @Adam or @Ada", both)).toBe(
      `<@${ADAM}> and <@${ADA}>, not @Adam or @Ada`,
    );
  });

  it("come back as names for editing, and unknown ids stay", () => {
    const back = withNames(`<@${ADA}> <@${ADAM}>`, (id) => (id === ADA ? "Ada" : undefined));
    expect(back).toEqual({ text: `@Ada <@${ADAM}>`, mentions: [chosen(0, "Ada", ADA)] });
    expect(withIds(back.text, back.mentions)).toBe(`<@${ADA}> <@${ADAM}>`);
  });

  it.each([
    `<@${ADA}> <@${ADAM}>`,
    `<@${ADA}><@${ADAM}>`,
    `<@${ADA}>さん`,
    `你好<@${ADA}>님과`,
    `@Ada <@${ADA}>s <@${ADA}>_`,
    `x <@${ADAM}> \`<@${ADA}>\``,
  ])("stay through an edit that changes nothing: %s", (text) => {
    const back = withNames(text, () => "Ada");
    expect(withIds(back.text, back.mentions)).toBe(text);
  });

  it.each([
    ["@Adaさん", 6, `<@${ADA}>さん`],
    ["@Adam", 5, `<@${ADA}>m`],
    ["hi @Ada", 3, `hi <@${ADA}>`],
    ["@Ad", 3, "@Ad"],
    ["@A😀da", 4, "@A😀da"],
    ["x@Ada", 1, `x<@${ADA}>`],
  ])("stay at their names while one writes %s", (text, caret, sent) => {
    expect(withIds(text, follow(typing("@Ada"), text, caret, []))).toBe(sent);
  });

  it("of two people of one name are each the one that was chosen", () => {
    const both = typing("@Ada @Ada", [chosen(0, "Ada", ADA), chosen(5, "Ada", ADAM)]);
    expect(withIds("@Ada", follow(both, "@Ada", 0, both.mentions))).toBe(`<@${ADAM}>`);
    expect(withIds("@Ada ", follow(both, "@Ada ", 5, both.mentions))).toBe(`<@${ADA}> `);
  });

  it("that were cut are mentions again where they are pasted, unless two people have the name", () => {
    const known = [chosen(0, "Ada", ADA), chosen(0, "Bo", ADA), chosen(0, "Bo", ADAM)];
    const pasted = (text: string) => withIds(text, follow(typing("", []), text, text.length, known));
    expect(pasted("hi @Ada, @Adam, @Adaさん, @Bo")).toBe(`hi <@${ADA}>, @Adam, <@${ADA}>さん, @Bo`);
  });

  it("are completed behind @ at the beginning of a word", () => {
    expect(typedName("hi @Ad", 6)).toEqual({ mark: "@", from: 3, name: "Ad" });
    expect(typedName("ada@ex", 6)).toBeNull();
    expect(typedName("so :ta", 6)).toEqual({ mark: ":", from: 3, name: "ta" });
    expect(typedName("at 9:3", 6)).toBeNull();
  });

  it.each(["你好", "こんにちは、", "テスト", "민수님", "สวัสดี", "（", "“", "\n"])(
    "and emoji are completed after %j, where no space is written",
    (before) => {
      expect(typedName(`${before}@Ad`, before.length + 3)?.from).toBe(before.length);
      expect(typedName(`${before}:ta`, before.length + 3)?.from).toBe(before.length);
    },
  );
});

describe("two people of one name", () => {
  const member = (actor_id: string, name: string) =>
    ({ actor_id, actor_type: "person", name, role: "member", granted: null }) as const;
  it("can be distinguished in the list", () => {
    const offered = suggestions(
      { mark: "@", from: 0, name: "a" },
      [member(ADA, "Ada"), member(ADAM, "Ada"), member("x", "Alan")],
      () => [],
    );
    const hints = offered.map(({ label, hint }) => `${label} ${hint ?? ""}`);
    expect(new Set(hints).size).toBe(3);
    expect(hints).toContain("Alan ");
  });
});

describe("the composer", () => {
  it("puts marks around the selection and takes them away again", () => {
    const bold = toggleMarks({ text: "a b c", start: 2, end: 3 }, "**");
    expect(bold).toEqual({ text: "a **b** c", start: 4, end: 5 });
    expect(toggleMarks(bold, "**")).toEqual({ text: "a b c", start: 2, end: 3 });
  });

  it("puts a completion in place of what was typed", () => {
    expect(insertCompletion("hi @Ad there", 3, 6, "@Ada ")).toEqual({
      text: "hi @Ada  there",
      start: 8,
      end: 8,
    });
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

describe("an edit that undo knows", () => {
  it.each([
    ["a b c", "a **b** c", { from: 2, to: 3, by: "**b**" }],
    ["a **b** c", "a b c", { from: 2, to: 7, by: "b" }],
    ["aa", "a", { from: 1, to: 2, by: "" }],
    ["", "a", { from: 0, to: 0, by: "a" }],
    ["a", "a", { from: 1, to: 1, by: "" }],
  ])("from %j to %j replaces only what differs", (text, next, edit) => {
    expect(difference(text, next)).toEqual(edit);
    expect(text.slice(0, edit.from) + edit.by + text.slice(edit.to)).toBe(next);
  });
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
