import { expect, it } from "vitest";
import { pausesAsText, pausesOf } from "./pauses";

it.each([
  ["1m, 5m, 30m, 2h, 24h", [60, 300, 1800, 7200, 86_400]],
  [" 10 S,1d ", [10, 86_400]],
  ["", []],
  [" None", []],
])("reads %s", (text, pauses) => {
  expect(pausesOf(text)).toEqual(pauses);
});

it.each(["0s", "25h", "5", "m", "1m 2m", "1m;2m", "-1m", Array(11).fill("1m").join(",")])(
  "rejects %s",
  (text) => {
    expect(pausesOf(text)).toBeNull();
  },
);

it("writes what it reads", () => {
  expect(pausesAsText([60, 90, 7200, 86_400])).toBe("1m, 90s, 2h, 24h");
  expect(pausesOf(pausesAsText([1, 61, 3600]))).toEqual([1, 61, 3600]);
  expect(pausesOf(pausesAsText([]))).toEqual([]);
});
