import { canBeginName } from "./scripts";

/** A mention as the server stores it: `<@id>`. */
export const MENTION = /<@([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})>/g;

/** A mention in a text that is being written: the place of its `@Name`, and the person. */
export interface Chosen {
  at: number;
  name: string;
  id: string;
}

/** A text that is being written, with names instead of ids. */
export interface Written {
  text: string;
  mentions: Chosen[];
}

/** Replace each chosen `@Name` with its id. */
export function withIds(text: string, chosen: Chosen[]): string {
  return chosen
    .filter(({ at, name }) => text.startsWith(`@${name}`, at))
    .sort((a, b) => b.at - a.at)
    .reduce((result, each) => `${result.slice(0, each.at)}<@${each.id}>${result.slice(endOf(each))}`, text);
}

/** Return a part of a text with the ids of the mentions that are whole in it. */
export function partWithIds({ text, mentions }: Written, from: number, to = text.length): string {
  const inside = mentions.filter((each) => each.at >= from && endOf(each) <= to);
  return withIds(
    text.slice(from, to),
    inside.map((each) => ({ ...each, at: each.at - from })),
  );
}

/** Return the ids that a stored text mentions. */
export const mentionedIn = (text: string): string[] =>
  [...text.matchAll(MENTION)].map(([, id = ""]) => id.toLowerCase());

/** Replace ids with names where the names are known. */
export function withNames(text: string, nameOf: (id: string) => string | undefined): Written {
  const mentions: Chosen[] = [];
  let readable = "";
  let done = 0;
  for (const { index, 0: whole, 1: id = "" } of text.matchAll(MENTION)) {
    const name = nameOf(id.toLowerCase());
    if (!name) continue;
    readable += text.slice(done, index);
    mentions.push({ at: readable.length, name, id });
    readable += `@${name}`;
    done = index + whole.length;
  }
  return { text: readable + text.slice(done), mentions };
}

/** Return the place after a chosen `@Name`. */
export const endOf = ({ at, name }: Chosen): number => at + 1 + name.length;

const TYPED = /([@:])([\p{L}\p{M}\p{N}_+.-]*(?: [\p{L}\p{M}\p{N}_.-]*)?)$/u;

/** Return the beginning of a name before the caret, after `@` or `:`; null if there is none. */
export function typedName(
  text: string,
  caret: number,
): { mark: "@" | ":"; from: number; name: string } | null {
  const found = TYPED.exec(text.slice(0, caret));
  if (!found || !canBeginName(text.slice(0, found.index))) return null;
  const [, mark, name = ""] = found;
  if (mark === ":" && (name.length < 2 || name.includes(" "))) return null;
  return { mark: mark as "@" | ":", from: found.index, name };
}
