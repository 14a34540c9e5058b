const DAY = 86_400_000;
/** In days. */
const RENEWED_FOR = 90;
/** The clock of this browser can be ahead of the server's, which counts the days. */
const SPARED = 3_600_000;

interface Ending {
  expires_at: string | null;
}

export const isExpired = ({ expires_at }: Ending, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Return the latest time at which a key can expire that is made now and may be valid for `maxDays`. */
const latestEnd = (now: Date, maxDays: number): string =>
  new Date(now.getTime() + maxDays * DAY - SPARED).toISOString();

/** Return the last day for the form of a new key; undefined if there is no limit. */
export const lastDay = (now: Date, maxDays: number | null): string | undefined =>
  maxDays === null ? undefined : latestEnd(now, maxDays).slice(0, 10);

/**
 * Return the time at which a key expires, from the date in a form: the end of the day, or of the `maxDays` for which a
 * new key may be valid; none if the date is empty.
 */
export function endOf(date: string, maxDays: number | null = null, now = new Date()): string | null {
  if (!date) return null;
  const end = `${date}T23:59:59.000Z`;
  const latest = maxDays === null ? end : latestEnd(now, maxDays);
  return end < latest ? end : latest;
}

/**
 * Return for how many days a rotated key is valid: an expired one for 90, unless the organization allows `maxDays` only;
 * null for one that keeps its expiry.
 */
export function rotatedFor(key: Ending, now: Date, maxDays: number | null = null): number | null {
  if (isExpired(key, now)) return Math.min(RENEWED_FOR, maxDays ?? RENEWED_FOR);
  if (maxDays === null) return null;
  const fits = key.expires_at !== null && Date.parse(key.expires_at) <= now.getTime() + maxDays * DAY;
  return fits ? null : maxDays;
}

/** Return the expiry of a rotated key as the API takes it; nothing for one that keeps its expiry. */
export function rotationOf(key: Ending, now: Date, maxDays: number | null = null): { expires_at?: string } {
  const days = rotatedFor(key, now, maxDays);
  return days === null ? {} : { expires_at: latestEnd(now, days) };
}
