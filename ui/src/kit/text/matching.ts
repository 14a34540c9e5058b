/** Score how well a name matches the typed text, from 0 for not at all. Words match in any order by their beginnings. */
export function matchScore(name: string, typed: string): number {
  const low = plain(name);
  const parts = plain(typed).split(/\s+/).filter(Boolean);
  if (parts.length === 0) return 1;
  if (low === parts.join(" ")) return 5;
  if (low.startsWith(parts.join(" "))) return 4;
  const words = low.split(/[\s_\-./]+/);
  if (parts.every((each) => words.some((word) => word.startsWith(each)))) return 3;
  return parts.every((each) => low.includes(each)) ? 2 : 0;
}

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
