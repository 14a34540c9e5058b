import { expect, test } from "vitest";
import { endOf, isExpired, rotationOf } from "./expiry";

const NOW = new Date("2026-11-23T12:00:00.000Z");

test("a key that has expired is renewed for ninety days", () => {
  expect(rotationOf({ expires_at: "2026-11-23T12:00:00.000Z" }, NOW)).toEqual({
    expires_at: "2027-02-21T12:00:00.000Z",
  });
});

test("a key that works ends when it would have", () => {
  expect(rotationOf({ expires_at: "2026-11-23T12:00:00.001Z" }, NOW)).toEqual({});
  expect(rotationOf({ expires_at: null }, NOW)).toEqual({});
  expect(isExpired({ expires_at: null }, NOW)).toBe(false);
});

test("a key works to the end of its last day", () => {
  expect(endOf("2026-12-01")).toBe("2026-12-01T23:59:59.000Z");
  expect(endOf("")).toBeNull();
});
