import { useRef } from "react";
import { endOf, type Chosen, type Written } from "@/model/markdown/mentions";
import { isBoundary } from "@/model/markdown/scripts";
import { difference } from "./edits";

const MAX_STATES = 100;

/** Return a function that changes what is written; chosen mentions stay at their names. */
export function useFollowing(): <W extends Written>(written: W, text: string, caret: number) => W {
  const earlier = useRef(new Map<string, Chosen[]>());
  return (written, text, caret) => {
    const states = earlier.current.set(written.text, written.mentions);
    const moved = follow(written, text, caret, [...states.values()].flat());
    const before = states.get(text) ?? []; // undo and redo bring back the text, and so its mentions
    if (states.size > MAX_STATES) states.delete(states.keys().next().value ?? "");
    return { ...written, text, mentions: before.length > moved.length ? before : moved };
  };
}

/**
 * Return the mentions of a text after an edit that ends at the caret: they move with their names, and end where the
 * edit changes one. Names that are inserted as a whole, as when they were cut, are mentions again if no two `known`
 * mentions have that name.
 */
export function follow(written: Written, text: string, caret: number, known: Chosen[]): Chosen[] {
  const after = written.text.endsWith(text.slice(caret)) ? text.length - caret : 0;
  const { from, to, by } = difference(
    written.text.slice(0, written.text.length - after),
    text.slice(0, text.length - after),
  );
  const shift = by.length - (to - from);
  const moved = written.mentions
    .filter((each) => endOf(each) <= from || each.at >= to)
    .map((each) => (each.at >= to ? { ...each, at: each.at + shift } : each));
  return [...moved, ...namedIn(by, known).map((each) => ({ ...each, at: each.at + from }))];
}

/** Return the mentions in a text by name, where a name stands for one person. */
function namedIn(text: string, known: Chosen[]): Chosen[] {
  const ids = new Map<string, Set<string>>();
  for (const { name, id } of known) ids.set(name, (ids.get(name) ?? new Set()).add(id));
  const names = [...ids.keys()].sort((a, b) => b.length - a.length);
  const found: Chosen[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const name = names.find((each) => text.startsWith(each, at + 1) && isWhole(text, at + 1 + each.length));
    const [id, ...others] = ids.get(name ?? "") ?? [];
    if (name && id && others.length === 0) found.push({ at, name, id });
  }
  return found;
}

const isWhole = (text: string, end: number): boolean =>
  !/^[\p{L}\p{M}\p{N}_]/u.test(text.slice(end)) || isBoundary(text.slice(0, end), text.slice(end));
