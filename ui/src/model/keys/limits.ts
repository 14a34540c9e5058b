import type { Schemas } from "@/api/client";
import { keyLimits } from "@/texts/keyLimits";

export type Scope = NonNullable<Schemas["ApiKey"]["scopes"]>[number];
export const ALL_SCOPES = Object.keys(keyLimits.scope) as Scope[];
export type KeyRules = Schemas["PersonalKeyRules"];
type Limited = Pick<Schemas["ApiKey"], "scopes" | "allowed_networks">;
type Ending = Pick<Schemas["ApiKey"], "expires_at">;

const DAY = 86_400_000;
/** In days. */
const RENEWED_FOR = 90;
/** The clock of this browser can be ahead of the server's, which counts the days. */
const SPARED = 3_600_000;

/** The limits of a key in a form: a date, empty for none; scopes, null for all; networks with commas between them. */
export interface LimitValues {
  expires: string;
  scopes: Scope[] | null;
  networks: string;
}

export const unlimited: LimitValues = { expires: "", scopes: null, networks: "" };

/** Return whether scopes are to be chosen and none is. */
export const hasNoScope = ({ scopes }: LimitValues): boolean => scopes?.length === 0;

export const valuesOf = ({ expires_at, scopes, allowed_networks }: Limited & Ending): LimitValues => ({
  expires: expires_at?.slice(0, 10) ?? "",
  scopes,
  networks: allowed_networks?.join(", ") ?? "",
});

/** Return the scopes and networks of a form as the API takes them. */
export function limitsOf({ scopes, networks }: Omit<LimitValues, "expires">): Limited {
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
export function limitsOfNew(values: LimitValues, rules: KeyRules[]) {
  const wanted = limitsOf(values);
  return { expires_at: endOf(values.expires, maxDaysOf(rules, wanted)), ...wanted };
}

/** Return what the form changes of the limits of a key, as the API takes it. */
export function changedLimits(known: Limited & Ending, values: LimitValues): Partial<Limited & Ending> {
  const wanted = limitsOf(values);
  const changes = (name: keyof Limited) => wanted[name]?.join() !== known[name]?.join();
  return {
    ...(values.expires !== valuesOf(known).expires && { expires_at: endOf(values.expires) }),
    ...(changes("scopes") && { scopes: wanted.scopes }),
    ...(changes("allowed_networks") && { allowed_networks: wanted.allowed_networks }),
  };
}

export const isExpired = ({ expires_at }: Ending, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Return the latest time at which a key can expire that is made now and may be valid for `maxDays`. */
const latestEnd = (now: Date, maxDays: number): string =>
  new Date(now.getTime() + maxDays * DAY - SPARED).toISOString();

/** Return the last day for the form of a new key; undefined if there is no limit. */
export const lastDay = (now: Date, maxDays: number | null): string | undefined =>
  maxDays === null ? undefined : latestEnd(now, maxDays).slice(0, 10);

/**
 * Return the time at which a key expires, from the date in a form: the end of the day, or of the `maxDays` for which a
 * new key may be valid; none if the date is empty.
 */
export function endOf(date: string, maxDays: number | null = null, now = new Date()): string | null {
  if (!date) return null;
  const end = `${date}T23:59:59.000Z`;
  const latest = maxDays === null ? end : latestEnd(now, maxDays);
  return end < latest ? end : latest;
}

/**
 * Return for how many days a rotated key is valid: an expired one for 90, unless the organization allows `maxDays` only;
 * null for one that keeps its expiry.
 */
export function rotatedFor(key: Ending, now: Date, maxDays: number | null = null): number | null {
  if (isExpired(key, now)) return Math.min(RENEWED_FOR, maxDays ?? RENEWED_FOR);
  if (maxDays === null) return null;
  const fits = key.expires_at !== null && Date.parse(key.expires_at) <= now.getTime() + maxDays * DAY;
  return fits ? null : maxDays;
}

/** Return the expiry of a rotated key as the API takes it; nothing for one that keeps its expiry. */
export function rotationOf(key: Ending, now: Date, maxDays: number | null = null): { expires_at?: string } {
  const days = rotatedFor(key, now, maxDays);
  return days === null ? {} : { expires_at: latestEnd(now, days) };
}
