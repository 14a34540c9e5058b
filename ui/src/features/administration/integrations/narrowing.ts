import { ALL_SCOPES, type Scope } from "@/model/keys/limits";
import type { KeyUsage } from "@/model/keys/usage/usage";
import type { ApiKey } from "./queries";

/** What a key could do without: the scopes to leave it, and those to take away (null: all others). */
export interface Narrowing {
  left: Scope[];
  removed: Scope[] | null;
}

/**
 * Return how a key can be narrowed to what its counted requests needed; null if they needed all that it has, or nothing,
 * since a key cannot be without scopes. A key that needed full access stays as it is.
 */
export function narrowingOf({ scopes }: Pick<ApiKey, "scopes">, usage: KeyUsage): Narrowing | null {
  const unused = new Set(usage.unused_scopes);
  const left = (scopes ?? ALL_SCOPES).filter((each) => !unused.has(each));
  if (left.length === 0 || unused.size === 0) return null;
  if (scopes) return { left, removed: scopes.filter((each) => unused.has(each)) };
  const neededAll = usage.usage.some((each) => each.needs_all_scopes && each.requests > each.forbidden);
  return neededAll ? null : { left, removed: null };
}

const DAY = 86_400_000;

/** Return how many days a key has left, and of how many; null for one that does not expire. */
export function daysLeft(known: Pick<ApiKey, "created_at" | "expires_at">, now: Date) {
  if (known.expires_at === null) return null;
  const end = Date.parse(known.expires_at);
  return {
    left: Math.max(0, Math.floor((end - now.getTime()) / DAY)),
    of: Math.max(1, Math.round((end - Date.parse(known.created_at)) / DAY)),
  };
}
