const DAY = 86_400_000;
const RENEWED_FOR = 90 * DAY;

interface Ending {
  expires_at: string | null;
}

export const isExpired = ({ expires_at }: Ending, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Return the time at which a key expires, from the date in a form; none if the date is empty. */
export const endOf = (date: string): string | null => (date ? `${date}T23:59:59.000Z` : null);

/** Return the expiry of a rotated key: an expired key gets 90 days, another keeps its expiry. */
export const rotationOf = (key: Ending, now: Date): { expires_at?: string } =>
  isExpired(key, now) ? { expires_at: new Date(now.getTime() + RENEWED_FOR).toISOString() } : {};
