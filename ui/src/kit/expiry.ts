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

/** Return the time at which a key expires, from the date in a form; none if the date is empty. */
export const endOf = (date: string): string | null => (date ? `${date}T23:59:59.000Z` : null);

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
  if (days === null) return {};
  const spared = days === maxDays ? SPARED : 0;
  return { expires_at: new Date(now.getTime() + days * DAY - spared).toISOString() };
}
