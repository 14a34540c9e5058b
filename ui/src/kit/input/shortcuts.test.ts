import { describe, expect, it } from "vitest";
import { ariaKeys, isPressed, keyNames, type Press } from "./keys";
import { SHORTCUT_NAMES, shortcutsOf, SHORTCUTS } from "./shortcuts";

function press(key: string, more: Partial<Press> = {}): Press {
  return { key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more };
}

describe("a press of keys", () => {
  it("is ⌘ on a Mac and Ctrl elsewhere", () => {
    expect(isPressed("mod+K", press("k", { ctrlKey: true }), false)).toBe(true);
    expect(isPressed("mod+K", press("k", { ctrlKey: true }), true)).toBe(false);
    expect(isPressed("mod+K", press("k", { metaKey: true }), true)).toBe(true);
    expect(isPressed("mod+K", press("k", { ctrlKey: true, altKey: true }), false)).toBe(false);
  });

  it("counts by the letter, and by its place on layouts without Latin letters", () => {
    expect(isPressed("J", press("j"))).toBe(true);
    expect(isPressed("J", press("J", { shiftKey: true }))).toBe(false);
    expect(isPressed("J", press("о", { code: "KeyJ" }))).toBe(true);
    expect(isPressed("J", press("h", { code: "KeyJ" }))).toBe(false);
  });

  it("types a character with Shift or without", () => {
    expect(isPressed("?", press("?", { shiftKey: true }))).toBe(true);
    expect(isPressed("?", press("?"))).toBe(true);
    expect(isPressed("?", press("?", { ctrlKey: true }), false)).toBe(false);
  });

  it("is shown as people and as screen readers know it", () => {
    expect(keyNames("alt+shift+ArrowUp", false)).toEqual(["Alt", "Shift", "↑"]);
    expect(keyNames("alt+shift+ArrowUp", true)).toEqual(["⌥", "⇧", "↑"]);
    expect([ariaKeys("mod+K", false), ariaKeys("mod+K", true)]).toEqual(["Control+K", "Meta+K"]);
  });
});

describe("shortcuts", () => {
  const alt = press("ArrowUp", { altKey: true });

  it.each(SHORTCUT_NAMES)("have keys of their own, also in fields: %s", (name) => {
    const { group } = SHORTCUTS[name];
    const others = SHORTCUT_NAMES.filter(
      (each) => ["everywhere", group].includes(SHORTCUTS[each].group) && each !== name,
    );
    if (group === "composer") return;
    expect(others.flatMap((each) => SHORTCUTS[each].keys)).not.toContain(SHORTCUTS[name].keys[0]);
  });

  it("leave letters to the field that they are typed in", () => {
    expect(shortcutsOf(press("j"), null)).toEqual(["nextMessage", "nextDelivery"]);
    expect(shortcutsOf(press("j"), { value: "" })).toEqual([]);
    expect(shortcutsOf(press("?"), { value: "" })).toEqual([]);
    expect(shortcutsOf(press("k", { ctrlKey: true }), { value: "draft" }, false)).toEqual(["search"]);
  });

  it("leave the caret of a text its keys on a Mac", () => {
    expect(shortcutsOf(alt, { value: "draft" }, false)).toEqual(["previousRoom"]);
    expect(shortcutsOf(alt, { value: "" }, true)).toEqual(["previousRoom"]);
    expect(shortcutsOf(alt, { value: "draft" }, true)).toEqual([]);
  });
});
