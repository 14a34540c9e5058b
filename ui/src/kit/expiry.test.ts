import { expect, test } from "vitest";
import { endOf, isExpired, lastDay, rotatedFor, rotationOf } from "./expiry";

const NOW = new Date("2026-11-23T12:00:00.000Z");

test("a key that has expired is renewed for ninety days", () => {
  expect(rotationOf({ expires_at: "2026-11-23T12:00:00.000Z" }, NOW)).toEqual({
    expires_at: "2027-02-21T11:00:00.000Z",
  });
});

test("a key that works ends when it would have", () => {
  expect(rotationOf({ expires_at: "2026-11-23T12:00:00.001Z" }, NOW)).toEqual({});
  expect(rotationOf({ expires_at: null }, NOW)).toEqual({});
  expect(isExpired({ expires_at: null }, NOW)).toBe(false);
});

test("a rotated key lives no longer than the organization allows", () => {
  const expired = { expires_at: "2026-11-23T12:00:00.000Z" };
  expect(rotationOf(expired, NOW, 30)).toEqual({ expires_at: "2026-12-23T11:00:00.000Z" });
  expect(rotatedFor(expired, NOW, 365)).toBe(90);
  expect(rotatedFor({ expires_at: null }, NOW, 30)).toBe(30);
  expect(rotatedFor({ expires_at: "2026-12-23T12:00:00.001Z" }, NOW, 30)).toBe(30);
  expect(rotationOf({ expires_at: "2026-12-23T12:00:00.000Z" }, NOW, 30)).toEqual({});
});

test("a key works to the end of its last day", () => {
  expect(endOf("2026-12-01")).toBe("2026-12-01T23:59:59.000Z");
  expect(endOf("")).toBeNull();
});

test("a new key lives no longer than the organization allows, also on the last day of its form", () => {
  expect(lastDay(NOW, 30)).toBe("2026-12-23");
  expect(endOf("2026-12-23", 30, NOW)).toBe("2026-12-23T11:00:00.000Z");
  expect(endOf("2026-12-22", 30, NOW)).toBe("2026-12-22T23:59:59.000Z");
  expect(endOf("", 30, NOW)).toBeNull();
  expect(lastDay(NOW, null)).toBeUndefined();
});
