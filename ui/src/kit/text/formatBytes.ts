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
