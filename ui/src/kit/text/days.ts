/** Days as `<input type="date">` has them: "2026-11-21", in the time zone of the browser. */
export function dayOf(at: Date, plusDays = 0): string {
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() + plusDays);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(day.getFullYear()).padStart(4, "0")}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Return the day a number of months earlier; the last one of that month where it has fewer days. */
export function monthsBefore(at: Date, months: number): string {
  const first = new Date(at.getFullYear(), at.getMonth() - months, 1);
  const days = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  return dayOf(new Date(first.getFullYear(), first.getMonth(), Math.min(at.getDate(), days)));
}

/** Return the start and end of a day in milliseconds; null if the text is not a day. */
export function boundsOf(day: string): { start: number; end: number } | null {
  const [year = 0, month = 0, date = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.slice(1) ?? []).map(Number);
  const start = new Date(year, month - 1, date);
  if (dayOf(start) !== day) return null;
  return { start: start.getTime(), end: new Date(year, month - 1, date + 1).getTime() };
}
