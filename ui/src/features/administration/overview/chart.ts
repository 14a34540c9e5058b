/** The geometry of a stacked column chart, in pixels from the top left. */
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

/** Return the days that get a label on the axis, so that labels do not overlap. */
export function labelledDays(days: number, width: number, each = 64): Set<number> {
  const every = Math.max(1, Math.ceil((days * each) / width));
  const last = days - 1;
  return new Set(Array.from({ length: days }, (_, index) => index).filter((at) => (last - at) % every === 0));
}

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** Format a day of the overview, which is in UTC. */
export const dayOf = (date: string): string => short.format(new Date(`${date}T00:00:00Z`));
