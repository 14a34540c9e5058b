const DAY = 86_400_000;
const RENEWED_FOR = 90 * DAY;

interface Ending {
  expires_at: string | null;
}

export const isExpired = ({ expires_at }: Ending, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** The time at which a key ends that works until a date; without one it has no end. */
export const endOf = (date: string): string | null => (date ? `${date}T23:59:59.000Z` : null);

/** What a rotation asks for: a key that has expired is renewed for 90 days, another ends when it would have. */
export const rotationOf = (key: Ending, now: Date): { expires_at?: string } =>
  isExpired(key, now) ? { expires_at: new Date(now.getTime() + RENEWED_FOR).toISOString() } : {};
