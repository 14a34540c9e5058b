import type { Segment } from "./queries";

/** Return the index of the segment spoken at a time: the last that has begun; -1 before the first. Starts are in order. */
export function segmentAt(segments: readonly Pick<Segment, "start">[], seconds: number): number {
  let from = 0;
  let to = segments.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((segments[middle]?.start ?? Infinity) <= seconds) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Return the segments with one of them edited. */
export function corrected(segments: readonly Segment[], index: number, by: Partial<Segment>): Segment[] {
  return segments.map((each, nr) => (nr === index ? { ...each, ...by } : each));
}

const isSame = (one: Segment, other: Segment): boolean =>
  one.start === other.start &&
  one.end === other.end &&
  one.text === other.text &&
  (one.speaker ?? null) === (other.speaker ?? null);

/** Return the index of a segment that is still unchanged, so that an edit overwrites no one else's; -1 if it changed. */
export function placeOf(segments: readonly Segment[], wanted: Segment): number {
  return segments.findIndex((each) => isSame(each, wanted));
}

/** Return the segment that replaced a changed one: the one that starts at the same time, or nearest to it. */
export function nearestTo(segments: readonly Segment[], wanted: Segment): number {
  const at = segmentAt(segments, wanted.start);
  return at < 0 && segments.length > 0 ? 0 : at;
}

/** Return the indexes of the segments that contain all words. */
export function matches(segments: readonly Segment[], query: string): number[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return segments.flatMap(({ text, speaker }, index) => {
    const haystack = `${speaker ?? ""} ${text}`.toLocaleLowerCase();
    return words.every((word) => haystack.includes(word)) ? [index] : [];
  });
}
