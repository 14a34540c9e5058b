/** Parse headers, one per line; null if a line is not a header. */
export function headersOf(text: string): Record<string, string> | null {
  const lines = text.split("\n").filter((line) => line.trim());
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line));
  if (pairs.some((each) => each === null)) return null;
  return Object.fromEntries(pairs.map((each) => [each?.[1] ?? "", each?.[2] ?? ""]));
}
