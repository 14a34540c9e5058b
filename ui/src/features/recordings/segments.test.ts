import { describe, expect, it } from "vitest";
import type { Segment } from "./queries";
import { corrected, matches, nearestTo, placeOf, segmentAt } from "./segments";

const segment = (start: number, text: string, speaker: string | null = null): Segment => ({
  start,
  end: start + 2,
  speaker,
  text,
});
const TALK = [
  segment(1, "Good morning"),
  segment(3, "Let us begin", "Ada"),
  segment(3, "Yes", "Grace"),
  segment(9, "Good bye"),
];

describe("segmentAt", () => {
  it.each([
    [0, -1],
    [1, 0],
    [2.9, 0],
    [3, 2],
    [8, 2],
    [9, 3],
    [1000, 3],
  ])("at %d s is segment %d", (seconds, index) => expect(segmentAt(TALK, seconds)).toBe(index));

  it("is -1 without segments", () => expect(segmentAt([], 5)).toBe(-1));
});

describe("a correction", () => {
  it("changes its segment alone", () => {
    const after = corrected(TALK, 1, { text: "We begin" });
    expect(after[1]).toEqual({ ...TALK[1], text: "We begin" });
    expect(after.filter((_, index) => index !== 1)).toEqual(TALK.filter((_, index) => index !== 1));
  });

  it("finds its segment again in a transcript that grew, but not one that someone changed", () => {
    const grown = [segment(0, "Hello"), ...TALK];
    expect(placeOf(grown, segment(3, "Let us begin", "Ada"))).toBe(2);
    expect(placeOf(corrected(grown, 2, { text: "We begin" }), segment(3, "Let us begin", "Ada"))).toBe(-1);
    expect(nearestTo(grown, segment(9, "Good by"))).toBe(4);
    expect(nearestTo(TALK, segment(0, "Hm"))).toBe(0);
    expect(nearestTo([], segment(0, "Hm"))).toBe(-1);
  });
});

it("a search finds the segments with all words, in the text or the speaker's name", () => {
  expect(matches(TALK, "good")).toEqual([0, 3]);
  expect(matches(TALK, "ada BEGIN")).toEqual([1]);
  expect(matches(TALK, "  ")).toEqual([]);
});
