import { expect, test } from "vitest";
import { limitsOf, narrowedLimits, unlimited, valuesOf } from "./limits";

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
