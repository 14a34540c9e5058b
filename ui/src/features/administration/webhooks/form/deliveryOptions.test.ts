import { expect, it } from "vitest";
import { contentOf, optionsOf, rateOf } from "./deliveryOptions";

it.each([
  ["", null],
  [" 20 ", 20],
  ["1000", 1000],
])("reads the rate %s", (text, rate) => {
  expect(rateOf(text)).toBe(rate);
});

it.each(["0", "1001", "1.5", "-1", "many", "1e3"])("rejects the rate %s", (text) => {
  expect(rateOf(text)).toBeUndefined();
  expect(contentOf({ ...optionsOf(), rate: text })).toBeNull();
});

it("gives a new webhook the options of the server", () => {
  expect(contentOf(optionsOf())).toEqual({
    retry_schedule: null,
    time_limit: null,
    ordering: "none",
    rate_limit: null,
  });
});
