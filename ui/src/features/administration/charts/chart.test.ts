import { describe, expect, it } from "vitest";
import { labelledPeriods, runs, scaleOf, stack } from "./chart";

describe("the scale of a chart", () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 3],
    [9, 10],
    [94, 100],
    [1203, 1500],
  ])("of %i reaches %i", (highest, top) => {
    const scale = scaleOf(highest);
    expect(scale.top).toBe(top);
    expect(scale.ticks[0]).toBe(0);
    expect(scale.ticks.at(-1)).toBe(top);
    expect(scale.ticks.every(Number.isInteger)).toBe(true);
  });
});

it("a column's parts stand on one another and fill their share", () => {
  const place = { x: 5, y: 0, width: 10, height: 100 };
  expect(stack([1, 0, 3], 4, place)).toEqual([
    { x: 5, y: 75, width: 10, height: 25 },
    { x: 5, y: 75, width: 10, height: 0 },
    { x: 5, y: 0, width: 10, height: 75 },
  ]);
});

it("the last day is named, and as many before it as there is room for", () => {
  expect([...labelledPeriods(7, 700)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect([...labelledPeriods(30, 320)]).toEqual([5, 11, 17, 23, 29]);
});

it("a line ends where a value is missing", () => {
  expect(runs([null, 5, 6, null, 7])).toEqual([
    [
      { index: 1, value: 5 },
      { index: 2, value: 6 },
    ],
    [{ index: 4, value: 7 }],
  ]);
  expect(runs([null, null])).toEqual([]);
});
