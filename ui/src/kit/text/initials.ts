/** Return one or two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0] ? [...words[0]][0] : undefined;
  const last = words.length > 1 ? [...(words.at(-1) ?? "")][0] : undefined;
  return `${first ?? "?"}${last ?? ""}`.toLocaleUpperCase();
}

const HUES = 12;
const LIGHTNESSES = [0.55, 0.43];

/** The same color for the same id, wherever it is shown: one of 24 that white text is readable on. */
export function colorOf(id: string): string {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  const lightness = LIGHTNESSES[Math.floor(sum / HUES) % LIGHTNESSES.length];
  return `oklch(${lightness} 0.1 ${(sum % HUES) * (360 / HUES)}deg)`;
}
