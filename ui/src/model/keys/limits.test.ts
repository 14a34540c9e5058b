import { expect, test } from "vitest";
import {
  changedLimits,
  endOf,
  isExpired,
  lastDay,
  limitsOf,
  maxDaysOf,
  needNetworks,
  rotatedFor,
  rotationOf,
  unlimited,
  valuesOf,
  type KeyRules,
} from "./limits";

test("networks have commas, spaces or lines between them, and none are no limit", () => {
  const networks = " 192.0.2.0/24,2001:db8::/32\n 127.0.0.1 ;";
  expect(limitsOf({ scopes: ["search"], networks })).toEqual({
    scopes: ["search"],
    allowed_networks: ["192.0.2.0/24", "2001:db8::/32", "127.0.0.1"],
  });
  expect(limitsOf({ ...unlimited, networks: " , " })).toEqual({ scopes: null, allowed_networks: null });
});

test("only what was changed is sent", () => {
  const known = {
    scopes: ["search" as const, "messages:read" as const],
    allowed_networks: ["127.0.0.1/32"],
    expires_at: null,
  };
  expect(changedLimits(known, valuesOf(known))).toEqual({});
  expect(changedLimits(known, { ...valuesOf(known), scopes: ["search"] })).toEqual({ scopes: ["search"] });
  const none = { scopes: null, allowed_networks: null, expires_at: "2026-11-23T23:59:59.000Z" };
  expect(changedLimits(none, valuesOf(none))).toEqual({});
  expect(changedLimits(none, unlimited)).toEqual({ expires_at: null });
  expect(changedLimits(none, { ...valuesOf(none), networks: "::1" })).toEqual({ allowed_networks: ["::1"] });
});

test("networks are needed if no rules do without", () => {
  const rule = (require_networks: boolean) => ({ max_lifetime_days: null, require_networks });
  expect([[], [false], [true, false], [true, true]].map((each) => needNetworks(each.map(rule)))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test("a key may be valid for as long as the loosest rules that it fits allow", () => {
  const rule = (days: number | null, require_networks = false) => ({
    max_lifetime_days: days,
    require_networks,
  });
  const days = (rules: KeyRules[], ...networks: string[]) =>
    maxDaysOf(rules, { allowed_networks: networks.length > 0 ? networks : null });
  expect(days([])).toBeNull();
  expect(days([rule(10), rule(30)])).toBe(30);
  expect(days([rule(10), rule(null), rule(30)])).toBeNull();
  expect(days([rule(30), rule(90, true)])).toBe(30);
  expect(days([rule(30), rule(90, true)], "127.0.0.0/8", "2001::/16", "::1", "192.0.2.1")).toBe(90);
  for (const wide of ["126.0.0.0/7", "0.0.0.0/0", "2000::/15"])
    expect(days([rule(30), rule(90, true)], "127.0.0.0/8", wide)).toBe(30);
  expect(days([rule(30, true)])).toBe(30);
});

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
