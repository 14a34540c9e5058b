import { expect, it } from "vitest";
import { iconOf, titleOf } from "./title";

it("the title counts what is meant for the reader, and marks anything else", () => {
  expect(titleOf("general", { count: 0, hasMore: false })).toBe("general · Atrium");
  expect(titleOf("general", { count: 0, hasMore: true })).toBe("• general · Atrium");
  expect(titleOf("general", { count: 3, hasMore: true })).toBe("(3) general · Atrium");
  expect(titleOf("", { count: 120, hasMore: true })).toBe("(99+) Atrium");
});

it("the icon has a badge while something waits", () => {
  expect(iconOf({ count: 0, hasMore: false })).toBe("/icon.svg");
  expect(decodeURIComponent(iconOf({ count: 0, hasMore: true }))).not.toContain("<text");
  expect(decodeURIComponent(iconOf({ count: 3, hasMore: true }))).toContain(">3</text>");
  expect(decodeURIComponent(iconOf({ count: 12, hasMore: true }))).toContain(">9+</text>");
});
