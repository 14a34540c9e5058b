import { describe, expect, it } from "vitest";
import { formatDuration } from "@/kit/text/units";
import { queryOf, searchOf, withFilter, withoutFilter } from "./filters/filters";
import { splitHighlights } from "./parts";

describe("a search", () => {
  it.each([
    "engine",
    "engine in:general from:me",
    '"exact words" -not in:"my room" after:2026-01-02 has:link',
    "from:ada",
    "tea has:wings after:yesterday",
  ])("shows what is asked for and asks for what it shows: %s", (query) =>
    expect(searchOf(queryOf(searchOf(query)))).toEqual(searchOf(query)),
  );

  it("takes names with spaces in quotes", () => {
    const ada = { name: "from", value: "Ada Lovelace" } as const;
    expect(queryOf({ words: "tea", filters: [ada] })).toBe('tea from:"Ada Lovelace"');
    expect(searchOf('tea from:"Ada Lovelace"')).toEqual({ words: "tea", filters: [ada] });
  });

  it("shows each filter once, several of a kind too", () => {
    expect(searchOf("from:a FROM:b x from:a")).toEqual({
      words: "x",
      filters: [
        { name: "from", value: "a" },
        { name: "from", value: "b" },
      ],
    });
  });

  it("keeps a filter that no chip can show among the words, and a phrase as it is", () => {
    const query = 'tea after:yesterday has:wings "reply from:ada"';
    expect(searchOf(query)).toEqual({ words: query, filters: [] });
  });

  it("has one day of a kind, and loses a filter alone", () => {
    const search = searchOf("tea after:2026-01-02 from:a");
    const later = withFilter(search, { name: "after", value: "2026-02-03" });
    expect(queryOf(later)).toBe("tea from:a after:2026-02-03");
    expect(queryOf(withFilter(later, { name: "from", value: "b" }))).toBe(
      "tea from:a after:2026-02-03 from:b",
    );
    const [first] = later.filters;
    expect(first && queryOf(withoutFilter(later, first))).toBe("tea after:2026-02-03");
  });
});

it("an excerpt is cut at code points, not in the middle of one", () => {
  expect(splitHighlights("👍🏽 tea", [[3, 6]])).toEqual([
    { text: "👍🏽 ", isFound: false },
    { text: "tea", isFound: true },
  ]);
});

describe("a place in a recording", () => {
  it("is shown as players show it", () => {
    expect([0, 59.9, 75, 3600].map(formatDuration)).toEqual(["0:00", "0:59", "1:15", "1:00:00"]);
  });
});
