const UNITS = ["kilobyte", "megabyte", "gigabyte"] as const;

/** Format a number of bytes: 1536 is 1.5 kB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? -1 : Math.min(Math.floor(Math.log10(bytes) / 3) - 1, UNITS.length - 1);
  const unit = UNITS[power] ?? "byte";
  const amount = bytes / 1000 ** (power + 1);
  const unitDisplay = power < 0 ? "long" : "short";
  const format = { style: "unit", unit, unitDisplay, maximumFractionDigits: amount < 10 ? 1 : 0 };
  return new Intl.NumberFormat(undefined, format as Intl.NumberFormatOptions).format(amount);
}

const pad2 = (n: number): string => String(n).padStart(2, "0");

/** Format seconds as media players do: 75 is 1:15, 3675 is 1:01:15. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${pad2(minutes)}:${pad2(rest)}` : `${minutes}:${pad2(rest)}`;
}
