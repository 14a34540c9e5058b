import { texts } from "@/texts";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const dayOfYear = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const medium = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const utc = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** Format as `timeOfDay`, without “AM” or “PM”, where another time nearby shows it. */
export const clockTime = (at: string): string =>
  clock
    .formatToParts(new Date(at))
    .filter(({ type }) => type === "hour" || type === "minute" || type === "literal")
    .map(({ value }) => value)
    .join("")
    .trim();
export const timeOfDay = (at: string): string => clock.format(new Date(at));
export const dateAndTime = (at: string): string => medium.format(new Date(at));
export const exactTime = (at: string): string => exact.format(new Date(at));
export const fullTime = (at: string): string => full.format(new Date(at));
export const shortDate = (at: string): string => short.format(new Date(at));
/** Format a day of which the server counts something: "2026-11-21" in UTC. */
export const utcDay = (day: string): string => utc.format(new Date(`${day}T00:00:00Z`));

/** Return the time of a moment today, the date of any other. */
export const timeOrDate = (at: string, now: Date): string =>
  dayKey(at) === dayKey(now.toISOString()) ? timeOfDay(at) : shortDate(at);

/** Return the local day of a time, as a key. */
export function dayKey(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** Return the name of a day, for the separators between messages. */
export function dayName(at: string, now: Date): string {
  const date = new Date(at);
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const own = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((own - midnight) / 86_400_000);
  if (days === 0 || days === -1) return capital(relative.format(days, "day"));
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Format how long ago a time was, or its date after a month. */
export function formatRelative(at: string, now: Date): string {
  const passed = Date.parse(at) - now.getTime();
  if (Math.abs(passed) > 30 * 86_400_000) return shortDate(at);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(passed) >= each) ?? ["minute", 60_000];
  const units = Math.round(passed / size);
  return units === 0 ? texts.app.justNow : relative.format(units, unit);
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
