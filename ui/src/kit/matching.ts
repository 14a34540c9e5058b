/** How well a name fits what was typed: 0 not at all, more is better. Words may come in any order, each by its beginning. */
export function fit(name: string, typed: string): number {
  const low = plain(name);
  const asked = plain(typed).split(/\s+/).filter(Boolean);
  if (asked.length === 0) return 1;
  if (low === asked.join(" ")) return 5;
  if (low.startsWith(asked.join(" "))) return 4;
  const words = low.split(/[\s_\-./]+/);
  if (asked.every((each) => words.some((word) => word.startsWith(each)))) return 3;
  return asked.every((each) => low.includes(each)) ? 2 : 0;
}

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
