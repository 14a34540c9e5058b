import { expect, test } from "vitest";
import { isInForce, policyOf, policyValuesOf } from "./policy";

const NOW = new Date("2026-11-28T12:00:00.000Z");
const POLICY = {
  max_lifetime_days: 90,
  personal_keys: "admins" as const,
  require_networks: true,
  enforce_at: "2026-12-24T00:00:00.000Z",
};

test("a policy is the same after a form that changes nothing", () => {
  expect(policyOf(policyValuesOf(POLICY, NOW))).toEqual(POLICY);
  const none = {
    max_lifetime_days: null,
    personal_keys: "allowed" as const,
    require_networks: false,
    enforce_at: null,
  };
  expect(policyOf(policyValuesOf(none, NOW))).toEqual(none);
});

test("a date that has passed is not sent again, since stricter rules would then stop keys immediately", () => {
  const enforced = policyValuesOf({ ...POLICY, enforce_at: "2026-11-28T11:59:59.000Z" }, NOW);
  expect(enforced.from).toBe("");
  expect(policyOf({ ...enforced, days: "30" }).enforce_at).toBeNull();
});

test("a policy is in force with the same rules once its date has passed", () => {
  const enforced = { ...POLICY, enforce_at: "2026-11-28T11:59:59.000Z" };
  const values = policyValuesOf(enforced, NOW);
  expect(isInForce(enforced, values, NOW)).toBe(true);
  expect(isInForce(enforced, { ...values, from: "2026-11-28" }, NOW)).toBe(true);
  expect(isInForce(enforced, { ...values, days: "30" }, NOW)).toBe(false);
  expect(isInForce(POLICY, policyValuesOf(POLICY, NOW), NOW)).toBe(false);
});
