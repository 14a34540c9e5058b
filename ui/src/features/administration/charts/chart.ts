/** The geometry of charts, in pixels from the top left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Return a round maximum for the axis, and its ticks: integers, with steps of 1, 2 or 5 times a power of ten. */
export function scaleOf(highest: number, steps = 4): { top: number; ticks: number[] } {
  const rough = Math.max(highest, 1) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power);
  const count = Math.max(1, Math.ceil(highest / step));
  return { top: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** Return the boxes of one column, the first value at the bottom; a value of 0 has no height. */
export function stack(values: number[], top: number, place: Box): Box[] {
  let bottom = place.y + place.height;
  return values.map((value) => {
    const height = (value / top) * place.height;
    bottom -= height;
    return { x: place.x, y: bottom, width: place.width, height };
  });
}

/** Return the periods that get a label on the axis, so that labels do not overlap. */
export function labelledPeriods(periods: number, width: number, each = 64): Set<number> {
  const every = Math.max(1, Math.ceil((periods * each) / width));
  const last = periods - 1;
  return new Set(
    Array.from({ length: periods }, (_, index) => index).filter((at) => (last - at) % every === 0),
  );
}

/** Return the parts of a line: the values that follow each other without a gap. */
export function runs(values: (number | null)[]): { index: number; value: number }[][] {
  const parts: { index: number; value: number }[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    if (index === 0 || values[index - 1] === null) parts.push([]);
    parts.at(-1)?.push({ index, value });
  });
  return parts;
}

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** Format a day of the overview, which is in UTC. */
export const dayOf = (date: string): string => short.format(new Date(`${date}T00:00:00Z`));
