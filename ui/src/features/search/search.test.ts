import { describe, expect, it } from "vitest";
import { clockOf } from "@/kit/clocks";
import { filtersOf, NO_FILTERS, queryOf } from "./filters";
import { partsOf } from "./parts";

describe("the search form", () => {
  it.each([
    "engine",
    "engine in:general from:me",
    '"exact words" -not in:"my room" after:2026-01-02 has:link',
    "from:ada",
  ])("shows what is asked for and asks for what it shows: %s", (query) =>
    expect(filtersOf(queryOf(filtersOf(query)))).toEqual(filtersOf(query)),
  );

  it("takes names with spaces in quotes", () => {
    expect(queryOf({ ...NO_FILTERS, words: "tea", from: "Ada Lovelace" })).toBe('tea from:"Ada Lovelace"');
    expect(filtersOf('tea from:"Ada Lovelace"')).toMatchObject({ words: "tea", from: "Ada Lovelace" });
  });

  it("keeps a second filter of a kind among the words", () => {
    expect(filtersOf("from:a from:b x")).toMatchObject({ from: "a", words: "from:b x" });
  });

  it("keeps a filter that its field can't show among the words", () => {
    const query = 'tea in:lab in:"my room" after:yesterday has:wings';
    expect(filtersOf(query)).toEqual({ ...NO_FILTERS, words: query });
    const room = "0190c8c0-0000-7000-8000-000000000001";
    expect(filtersOf(`tea in:${room}`)).toMatchObject({ words: "tea", in: room });
  });
});

it("an excerpt is cut at code points, not in the middle of one", () => {
  expect(partsOf("👍🏽 tea", [[3, 6]])).toEqual([
    { text: "👍🏽 ", isFound: false },
    { text: "tea", isFound: true },
  ]);
});

describe("a place in a recording", () => {
  it("is shown as players show it", () => {
    expect([0, 59.9, 75, 3600].map(clockOf)).toEqual(["0:00", "0:59", "1:15", "1:00:00"]);
  });
});
