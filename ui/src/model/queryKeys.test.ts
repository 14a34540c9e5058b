import { expect, it } from "vitest";
import { LIVE_KEYS } from "./queryKeys";

const sources = import.meta.glob<string>("../**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const others = Object.entries(sources).filter(([path]) => !path.includes("queryKeys"));

const writing = (text: string, among = others) =>
  among.filter(([, source]) => source.includes(text)).map(([path]) => path);

it.each(LIVE_KEYS.map((key) => key()[0] ?? ""))("the key of %s is written in one place", (name) => {
  expect(writing(`["${name}"`)).toEqual([]);
});

it("queries of the model have keys that say whether they are live", () => {
  const model = others.filter(([path]) => path.startsWith("./"));
  expect(model.length).toBeGreaterThan(20);
  expect(writing("queryKey: [", model)).toEqual([]);
});

it("the check finds keys that a feature writes itself", () => {
  expect(writing('queryKey: ["search"')).toEqual(["../features/search/queries.ts"]);
});
