const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const PAUSE = /^(\d{1,5}) ?([smhd])$/;
const MAX_PAUSES = 10;
const MAX_SECONDS = 86_400;

/** No pauses, so no retries, as text. */
const NONE = "none";

/** Return pauses such as "1m, 2h" in seconds; null if one is not a pause of a second to a day, or for too many. */
export function pausesOf(text: string): number[] | null {
  if (text.trim().toLowerCase() === NONE) return [];
  const parts = text.split(",").map((each) => each.trim().toLowerCase());
  const pauses = parts.filter(Boolean).map((part) => {
    const [, amount = "", unit = ""] = PAUSE.exec(part) ?? [];
    return Number(amount) * (SECONDS[unit as keyof typeof SECONDS] ?? Number.NaN);
  });
  const isValid = pauses.length <= MAX_PAUSES && pauses.every((each) => each >= 1 && each <= MAX_SECONDS);
  return isValid ? pauses : null;
}

/** Return pauses in the largest unit that divides each. */
export const pausesAsText = (pauses: readonly number[]): string => pauses.map(pauseAsText).join(", ") || NONE;

function pauseAsText(seconds: number): string {
  const units = Object.entries(SECONDS).filter(([, each]) => seconds % each === 0 && each < MAX_SECONDS);
  const [unit, size] = units.at(-1) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}
