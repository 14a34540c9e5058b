import type { Schemas } from "@/api/client";
import { utcDay } from "@/kit/text/times";

export type KeyUsage = Schemas["KeyUsage"];
type Entry = KeyUsage["usage"][number];

/** The requests of a day: those that were allowed, and those that were rejected for one of two reasons. */
export interface UsedDay {
  date: string;
  allowed: number;
  forbidden: number;
  limited: number;
}

/** The requests of a route in a period. */
export interface UsedRoute {
  method: string;
  route: string;
  scope: Entry["scope"];
  needsAllScopes: boolean;
  requests: number;
  forbidden: number;
  limited: number;
  /** The last day with a request (UTC). */
  lastDay: string;
}

const DAY = 86_400_000;

/** Return the day (UTC) since when the requests of the key are counted. */
export const countedSince = ({ counted_since }: Pick<KeyUsage, "counted_since">): string =>
  utcDay(counted_since.slice(0, 10));

/** Return the last days until today (UTC), oldest first, also those without a request. */
export function daysOf({ usage }: KeyUsage, days: number, now: Date): UsedDay[] {
  const found = new Map<string, UsedDay>(
    Array.from({ length: days }, (_, index) => {
      const date = new Date(now.getTime() - (days - 1 - index) * DAY).toISOString().slice(0, 10);
      return [date, { date, allowed: 0, forbidden: 0, limited: 0 }];
    }),
  );
  for (const { day, requests, forbidden, limited } of usage) {
    const sums = found.get(day);
    if (!sums) continue;
    sums.allowed += requests - forbidden - limited;
    sums.forbidden += forbidden;
    sums.limited += limited;
  }
  return [...found.values()];
}

/** Return the sums of days. */
export function sumOf(days: UsedDay[]): Pick<UsedRoute, "requests" | "forbidden" | "limited"> {
  const of = (name: "allowed" | "forbidden" | "limited") => days.reduce((sum, day) => sum + day[name], 0);
  const [forbidden, limited] = [of("forbidden"), of("limited")];
  return { requests: of("allowed") + forbidden + limited, forbidden, limited };
}

/** Return the routes that were used since a day, most requests first. */
export function routesOf({ usage }: KeyUsage, since = ""): UsedRoute[] {
  const found = new Map<string, UsedRoute>();
  for (const { day, method, route, scope, needs_all_scopes, requests, forbidden, limited } of usage) {
    if (day < since) continue;
    const id = `${method} ${route} ${scope} ${needs_all_scopes}`;
    const known = found.get(id);
    found.set(id, {
      ...{ method, route, scope, needsAllScopes: needs_all_scopes },
      requests: requests + (known?.requests ?? 0),
      forbidden: forbidden + (known?.forbidden ?? 0),
      limited: limited + (known?.limited ?? 0),
      lastDay: known && known.lastDay > day ? known.lastDay : day,
    });
  }
  return [...found.values()].sort(
    (a, b) => b.requests - a.requests || a.route.localeCompare(b.route) || a.method.localeCompare(b.method),
  );
}
