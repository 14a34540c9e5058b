/** The addresses in pasted text: each once, and what is no address. */
export interface Addresses {
  found: string[];
  repeated: string[];
  wrong: string[];
}

const NAMED = /[^,;\n<]*<([^<>]*)>/g;
const ADDRESS = /^[^\s@<>()"]+@[^\s@<>()"]+\.[^\s@<>()".]+$/;

/** Read addresses separated by commas, semicolons, spaces or lines, also as “Ada Lovelace <ada@example.org>”. */
export function addressesIn(text: string): Addresses {
  const all: Addresses = { found: [], repeated: [], wrong: [] };
  const seen = new Set<string>();
  for (const each of text
    .replace(NAMED, " $1 ")
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const key = each.toLowerCase();
    const list = seen.has(key) ? all.repeated : ADDRESS.test(each) ? all.found : all.wrong;
    seen.add(key);
    list.push(each);
  }
  return all;
}
