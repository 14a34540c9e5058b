import type { Schemas } from "@/api/client";
import { endOf } from "@/kit/expiry";
import { keyLimits } from "@/texts/keyLimits";

export type Scope = NonNullable<Schemas["ApiKey"]["scopes"]>[number];
export const ALL_SCOPES = Object.keys(keyLimits.scope) as Scope[];
export type KeyRules = Schemas["PersonalKeyRules"];
type Limited = Pick<Schemas["ApiKey"], "scopes" | "allowed_networks">;

/** The limits of a key in a form: scopes, null for all; networks with commas between them. */
export interface LimitValues {
  scopes: Scope[] | null;
  networks: string;
}

export const unlimited: LimitValues = { scopes: null, networks: "" };

/** Return whether scopes are to be chosen and none is. */
export const hasNoScope = ({ scopes }: LimitValues): boolean => scopes?.length === 0;

export const valuesOf = ({ scopes, allowed_networks }: Limited): LimitValues => ({
  scopes,
  networks: allowed_networks?.join(", ") ?? "",
});

/** Return the limits of a form as the API takes them. */
export function limitsOf({ scopes, networks }: LimitValues): Limited {
  const each = networks.split(/[\s,;]+/).filter((network) => network !== "");
  return { scopes, allowed_networks: each.length > 0 ? each : null };
}

/** Return whether networks are a limit for a key policy: one wider than /8 (IPv4) or /16 (IPv6) is none. */
const areLimit = (networks: string[] | null): boolean =>
  networks !== null &&
  networks.every((each) => Number(each.split("/")[1] ?? 128) >= (each.includes(":") ? 16 : 8));

/**
 * Return for how many days a personal key may be valid that has these limits; null for any time. If it fits no rules,
 * as it needs networks, these are the days that it could have with networks.
 */
export function maxDaysOf(
  rules: KeyRules[],
  { allowed_networks }: Pick<Limited, "allowed_networks">,
): number | null {
  const fitting = rules.filter((each) => !each.require_networks || areLimit(allowed_networks));
  const days = (fitting.length > 0 ? fitting : rules).map((each) => each.max_lifetime_days ?? Infinity);
  const longest = Math.max(...days);
  return Number.isFinite(longest) ? longest : null;
}

/** Return whether a new key must be limited to networks. */
export const needNetworks = (rules: KeyRules[]): boolean =>
  rules.length > 0 && rules.every((each) => each.require_networks);

/** Return when a new key expires, and its limits, as the API takes them. */
export function limitsOfNew(
  { expires, limits }: { expires: string; limits: LimitValues },
  rules: KeyRules[],
) {
  const wanted = limitsOf(limits);
  return { expires_at: endOf(expires, maxDaysOf(rules, wanted)), ...wanted };
}

/** Return what the form takes away from the limits of a key, as the API takes it. */
export function narrowedLimits(known: Limited, values: LimitValues): Partial<Limited> {
  const wanted = limitsOf(values);
  const changes = (name: keyof Limited) => wanted[name]?.join() !== known[name]?.join();
  return {
    ...(changes("scopes") && { scopes: wanted.scopes }),
    ...(changes("allowed_networks") && { allowed_networks: wanted.allowed_networks }),
  };
}
