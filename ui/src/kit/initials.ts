/** Return one or two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0] ? [...words[0]][0] : undefined;
  const last = words.length > 1 ? [...(words.at(-1) ?? "")][0] : undefined;
  return `${first ?? "?"}${last ?? ""}`.toLocaleUpperCase();
}

const HUES = 12;

/** The same hue for the same id, wherever it is shown. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  return (sum % HUES) * (360 / HUES);
}
