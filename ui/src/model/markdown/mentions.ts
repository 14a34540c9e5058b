/** A mention as the server stores it: `<@id>`. */
export const MENTION = /<@([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})>/g;

/** The names that the writer chose from the suggestions, with the id of each. */
export type Named = Record<string, string>;

/** Replace each chosen `@Name` with its id, longer names first. */
export function withIds(text: string, named: Named): string {
  const names = Object.keys(named).sort((a, b) => b.length - a.length);
  return names.reduce((result, name) => replaceWhole(result, `@${name}`, `<@${named[name]}>`), text);
}

/** Replace ids with names where the names are known. */
export function withNames(
  text: string,
  nameOf: (id: string) => string | undefined,
): { text: string; named: Named } {
  const named: Named = {};
  const readable = text.replace(MENTION, (whole, id: string) => {
    const name = nameOf(id.toLowerCase());
    if (!name || (named[name] !== undefined && named[name] !== id)) return whole;
    named[name] = id;
    return `@${name}`;
  });
  return { text: readable, named };
}

/** Return the beginning of a name before the caret, after `@` or `:`; null if there is none. */
export function typedName(
  text: string,
  caret: number,
): { mark: "@" | ":"; from: number; name: string } | null {
  const found = /(^|[\s(])([@:])([\p{L}\p{M}\p{N}_+.-]*(?: [\p{L}\p{M}\p{N}_.-]*)?)$/u.exec(
    text.slice(0, caret),
  );
  if (!found) return null;
  const [, before = "", mark, name = ""] = found;
  if (mark === ":" && (name.length < 2 || name.includes(" "))) return null;
  return { mark: mark as "@" | ":", from: found.index + before.length, name };
}

function replaceWhole(text: string, name: string, by: string): string {
  let result = "";
  let rest = text;
  for (;;) {
    const at = rest.indexOf(name);
    if (at < 0) return result + rest;
    const after = rest.charAt(at + name.length);
    const isWhole = !/[\p{L}\p{N}_]/u.test(after);
    result += rest.slice(0, at) + (isWhole ? by : name);
    rest = rest.slice(at + name.length);
  }
}
