/** The filters of the search form. The query is one text, so that it can be typed and shared as a link. */
export interface Filters {
  words: string;
  in: string;
  from: string;
  after: string;
  before: string;
  has: string;
}

export const NO_FILTERS: Filters = { words: "", in: "", from: "", after: "", before: "", has: "" };
const NAMES = ["in", "from", "after", "before", "has"] as const;
const PART = /(?:^|\s)(in|from|after|before|has):("[^"]*"|\S+)/g;

/** Parse a query into the form's fields; a repeated filter stays among the words. */
export function filtersOf(query: string): Filters {
  const found: Filters = { ...NO_FILTERS };
  const words = query.replace(PART, (whole, name: (typeof NAMES)[number], value: string) => {
    if (found[name]) return whole;
    found[name] = value.replace(/^"|"$/g, "");
    return " ";
  });
  return { ...found, words: words.replace(/\s+/g, " ").trim() };
}

/** The query of the form's fields. */
export function queryOf(filters: Filters): string {
  const parts = NAMES.filter((name) => filters[name]).map((name) => `${name}:${quoted(filters[name])}`);
  return [filters.words.trim(), ...parts].filter(Boolean).join(" ");
}

const quoted = (value: string): string => (/\s/.test(value) ? `"${value.replaceAll('"', "")}"` : value);
