const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** A day of the overview, which is one of UTC. */
export const dayOf = (date: string): string => short.format(new Date(`${date}T00:00:00Z`));
