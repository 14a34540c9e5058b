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
export const HAS = ["link", "attachment", "reaction", "thread", "code"] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ROOM = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The values that the field of a filter can show; it chooses rooms by their ID. */
const FITS: Record<(typeof NAMES)[number], (value: string) => boolean> = {
  in: (value) => ROOM.test(value),
  from: () => true,
  after: (value) => DAY.test(value),
  before: (value) => DAY.test(value),
  has: (value) => (HAS as readonly string[]).includes(value),
};
const PART = /(?:^|\s)(in|from|after|before|has):("[^"]*"|\S+)/g;

/** Parse a query into the form's fields. What they can't show stays among the words, so no filter is invisible. */
export function filtersOf(query: string): Filters {
  const found: Filters = { ...NO_FILTERS };
  const words = query.replace(PART, (whole, name: (typeof NAMES)[number], value: string) => {
    const plain = value.replace(/^"|"$/g, "");
    if (found[name] || !FITS[name](plain)) return whole;
    found[name] = plain;
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
