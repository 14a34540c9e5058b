import { expect, test } from "vitest";
import {
  limitsOf,
  maxDaysOf,
  narrowedLimits,
  needNetworks,
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
  const known = { scopes: ["search" as const, "messages:read" as const], allowed_networks: ["127.0.0.1/32"] };
  expect(narrowedLimits(known, valuesOf(known))).toEqual({});
  expect(narrowedLimits(known, { ...valuesOf(known), scopes: ["search"] })).toEqual({ scopes: ["search"] });
  const none = { scopes: null, allowed_networks: null };
  expect(narrowedLimits(none, unlimited)).toEqual({});
  expect(narrowedLimits(none, { scopes: null, networks: "::1" })).toEqual({ allowed_networks: ["::1"] });
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
