/** The filters that a search shows as chips. The query is one text, so that it can be typed and shared as a link. */
export const FILTERS = ["from", "in", "on", "after", "before", "has"] as const;
export type FilterName = (typeof FILTERS)[number];

export interface Filter {
  name: FilterName;
  value: string;
}

export interface Search {
  words: string;
  filters: Filter[];
}

export const HAS = ["link", "attachment", "reaction", "thread", "code"] as const;
export type Has = (typeof HAS)[number];
/** The value of `from:` for the reader. */
export const MYSELF = "me";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (value: string) => DAY.test(value) && !Number.isNaN(Date.parse(value));
const isHas = (value: string): value is Has => (HAS as readonly string[]).includes(value);
/** The values that a chip can show. */
const FITS: Record<FilterName, (value: string) => boolean> = {
  from: () => true,
  in: () => true,
  on: isDay,
  after: isDay,
  before: isDay,
  has: isHas,
};
/** The parts of a query as the server reads them: filters, phrases and words. */
const PART = /(from|in|on|after|before|has):(?:"([^"]*)"|([^\s"]\S*))|-?"[^"]*"?|[^\s"]+/gi;

/** Parse a query. A filter that no chip can show stays among the words, so none is invisible. */
export function searchOf(query: string): Search {
  const filters: Filter[] = [];
  const words: string[] = [];
  for (const [part, typed, quoted, plain] of query.matchAll(PART)) {
    const name = typed?.toLowerCase() as FilterName | undefined;
    const value = quoted ?? plain ?? "";
    if (!name || !FITS[name](value)) words.push(part);
    else if (!filters.some((each) => each.name === name && each.value === value))
      filters.push({ name, value });
  }
  return { words: words.join(" "), filters };
}

/** Return the query of a search. */
export function queryOf({ words, filters }: Search): string {
  const parts = filters.map(({ name, value }) => `${name}:${quoted(value)}`);
  return [words.trim(), ...parts].filter(Boolean).join(" ");
}

/** Add a filter. One day replaces another of its kind; of the others, a search can have several. */
export function withFilter(search: Search, filter: Filter): Search {
  const isDate = FITS[filter.name] === isDay;
  const others = search.filters.filter(
    (each) => each.name !== filter.name || (!isDate && each.value !== filter.value),
  );
  return { ...search, filters: [...others, filter] };
}

export function withoutFilter(search: Search, filter: Filter): Search {
  return { ...search, filters: search.filters.filter((each) => each !== filter) };
}

const quoted = (value: string): string => (/\s/.test(value) ? `"${value.replaceAll('"', "")}"` : value);
