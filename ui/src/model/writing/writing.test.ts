import { describe, expect, it } from "vitest";
import { partWithIds, typedName, withIds, withNames } from "@/model/markdown/mentions";
import { follow } from "./chosen";
import { difference, insertCompletion } from "./edits";
import { suggestions } from "./suggestions";

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

  it.each([
    [0, `||<@${ADA}>, <@${ADAM}>!`],
    [4, `<@${ADA}>||, <@${ADAM}>!`],
    [6, `<@${ADA}>, ||<@${ADAM}>!`],
    [11, `<@${ADA}>, <@${ADAM}>||!`],
    [2, `@A||da, <@${ADAM}>!`],
    [9, `<@${ADA}>, @Ad||am!`],
  ])("stay in the half of a text that has the whole name, when it is split at %i", (at, halves) => {
    const both = typing("@Ada, @Adam!", [chosen(0, "Ada", ADA), chosen(6, "Adam", ADAM)]);
    expect(`${partWithIds(both, 0, at)}||${partWithIds(both, at)}`).toBe(halves);
  });

  it.each(["", " ", "x", "さん"])("stay when two texts are joined with %j between them", (between) => {
    const names = (text: string) => withNames(text, (id) => (id === ADA ? "Ada" : "Adam"));
    const joined = names(`<@${ADA}>${between}<@${ADAM}>`);
    const caret = names(`<@${ADA}>${between}`).text.length;
    expect(partWithIds(joined, 0, caret)).toBe(`<@${ADA}>${between}`);
    expect(partWithIds(joined, caret)).toBe(`<@${ADAM}>`);
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

describe("a completion", () => {
  it("comes in place of what was typed", () => {
    expect(insertCompletion("hi @Ad there", 3, 6, "@Ada ")).toEqual({
      text: "hi @Ada  there",
      start: 8,
      end: 8,
    });
  });
});
