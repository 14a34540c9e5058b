import type { Schemas } from "@/api/client";
import { ALL_SCOPES, isExpired, type Scope } from "@/model/keys/limits";

/** What keys of integrations and personal keys have in common. */
export type Key = Pick<
  Schemas["ApiKey"],
  "api_key_id" | "last_four" | "created_at" | "expires_at" | "last_used_at" | "scopes" | "allowed_networks"
>;

/** A key of a list, with the names under which it is listed and found: the most general first. */
export interface Listed<K extends Key> {
  known: K;
  names: string[];
  /** Whose personal key it is. */
  person?: string;
}

const DAY = 86_400_000;
const UNUSED_FOR = 90 * DAY;
const ENDS_WITHIN = 14 * DAY;

export const STATES = ["unused", "ending", "expired", "full"] as const;
export type State = (typeof STATES)[number];
export const ORDERS = ["name", "used", "ends", "created"] as const;
export type Order = (typeof ORDERS)[number];

/** The column that a list is sorted by. */
export interface Sort {
  by: Order;
  isDescending: boolean;
}

/** What a list shows. All of it is part of the URL, so that a view can be bookmarked and shared. */
export interface KeyFilter {
  find: string;
  /** All of them must hold. */
  states: State[];
  scope?: Scope;
  person?: string;
  sort: Sort;
}

/** The search parameters of a list of keys. */
export interface KeySearch {
  find?: string;
  state?: string;
  scope?: string;
  person?: string;
  sort?: string;
}

/** Return the filter in a URL; values that mean nothing are left out. */
export function keyFilterOf({ find, state, scope, person, sort }: KeySearch): KeyFilter {
  const wanted = state?.split(",") ?? [];
  return {
    find: find ?? "",
    states: STATES.filter((each) => wanted.includes(each)),
    scope: ALL_SCOPES.find((each) => each === scope),
    person,
    sort: sortOf(sort),
  };
}

/** Return an order by its name in the URL: that of the column, with a minus for the other way round. */
export function sortOf(name: string | undefined): Sort {
  const by = ORDERS.find((each) => each === name?.replace(/^-/, "")) ?? "name";
  return { by, isDescending: name === `-${by}` };
}

export const nameOf = ({ by, isDescending }: Sort): string => (isDescending ? "-" : "") + by;

/** Return a filter as search parameters, without what it leaves as it is by default. */
export function keySearchOf({ find, states, scope, person, sort }: KeyFilter): KeySearch {
  const order = nameOf(sort);
  return {
    ...(find && { find }),
    ...(states.length > 0 && { state: states.join() }),
    ...(scope && { scope }),
    ...(person && { person }),
    ...(order !== "name" && { sort: order }),
  };
}

/** Return whether the filter leaves keys out. */
export const isFiltering = ({ find, states, scope, person }: KeyFilter): boolean =>
  find.trim() !== "" || states.length > 0 || scope !== undefined || person !== undefined;

/** Return what is to be noticed about a key. One that was never used counts from its creation. */
export function statesOf(key: Key, now: Date): State[] {
  const hasExpired = isExpired(key, now);
  const used = Date.parse(key.last_used_at ?? key.created_at);
  const applies = {
    unused: now.getTime() - used >= UNUSED_FOR,
    ending:
      !hasExpired && key.expires_at !== null && Date.parse(key.expires_at) - now.getTime() <= ENDS_WITHIN,
    expired: hasExpired,
    full: key.scopes === null,
  };
  return STATES.filter((each) => applies[each]);
}

/** Return the filter with a state added or removed. A key cannot have expired and expire soon. */
export function toggleState(filter: KeyFilter, state: State): KeyFilter {
  const opposite: Partial<Record<State, State>> = { ending: "expired", expired: "ending" };
  const others = filter.states.filter((each) => each !== state && each !== opposite[state]);
  return { ...filter, states: filter.states.includes(state) ? others : [...others, state] };
}

/** Return the filter with another column to sort by, or with the same one the other way round. */
export const sortBy = (filter: KeyFilter, by: Order): KeyFilter => ({
  ...filter,
  sort: { by, isDescending: filter.sort.by === by && !filter.sort.isDescending },
});

/** Return the keys that a filter chooses, in its order. A key with full access has every scope. */
export function filterKeys<K extends Key>(filter: KeyFilter, all: Listed<K>[], now: Date): Listed<K>[] {
  const words = filter.find.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const { by, isDescending } = filter.sort;
  return all
    .filter(({ known, names, person }) => {
      const text = [...names, known.last_four].join(" ").toLocaleLowerCase();
      const states = statesOf(known, now);
      return (
        words.every((word) => text.includes(word)) &&
        filter.states.every((each) => states.includes(each)) &&
        (!filter.person || person === filter.person) &&
        (!filter.scope || known.scopes === null || known.scopes.includes(filter.scope))
      );
    })
    .sort((a, b) => (isDescending ? -1 : 1) * compare[by](a, b) || byName(a, b));
}

const byName = (a: Listed<Key>, b: Listed<Key>): number =>
  a.names.join("\n").localeCompare(b.names.join("\n"));
const time = (at: string | null, without: number): number => (at === null ? without : Date.parse(at));

/** Ascending: what was never used before all else, and what does not expire after it. */
const compare: Record<Order, (a: Listed<Key>, b: Listed<Key>) => number> = {
  name: byName,
  used: (a, b) => difference(time(a.known.last_used_at, 0), time(b.known.last_used_at, 0)),
  ends: (a, b) => difference(time(a.known.expires_at, Infinity), time(b.known.expires_at, Infinity)),
  created: (a, b) => difference(time(a.known.created_at, 0), time(b.known.created_at, 0)),
};

const difference = (a: number, b: number): number => (a === b ? 0 : a - b);
