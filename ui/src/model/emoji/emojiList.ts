import compact from "emojibase-data/en/compact.json";
import shortNames from "emojibase-data/en/shortcodes/iamcal.json";
import { FREQUENT } from "./frequent";

export interface Emoji {
  emoji: string;
  /** Slack's short names; the first is the usual one. */
  names: string[];
  /** Other words to find it by. */
  tags: string[];
}

/** Return the emoji without the variation selector that emojibase adds after every emoji that has a text form. */
const standard = (emoji: string): string => emoji.replace(/(\p{Emoji_Presentation})\uFE0F/gu, "$1");

const all: Emoji[] = compact
  .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  .map(({ unicode, hexcode, tags }) => ({
    emoji: standard(unicode),
    names: [shortNames[hexcode] ?? []].flat(),
    tags: tags ?? [],
  }))
  .filter(({ names }) => names.length > 0);

const byName = new Map(all.flatMap(({ emoji, names }) => names.map((name) => [name, emoji] as const)));

/** The emoji to choose from, the frequent ones first. */
export const EMOJI: Emoji[] = [
  ...FREQUENT.flatMap((emoji) => all.filter((each) => each.emoji === emoji)),
  ...all.filter(({ emoji }) => !FREQUENT.includes(emoji)),
];

/** Return the emoji of a short name such as `+1`, or the name between colons if there is none. */
export function emojiOf(name: string): string {
  return byName.get(name) ?? byName.get(name.replace(/::?skin-tone-\d$/, "")) ?? `:${name}:`;
}

/** Find emoji by a short name, then by the beginning of one, then of a tag, then by any part of a short name. */
export function findEmoji(typed: string): Emoji[] {
  const query = typed.toLowerCase().replaceAll(":", "").trim();
  if (!query) return EMOJI;
  const matches = [
    ({ names }: Emoji) => names.includes(query),
    ({ names }: Emoji) => names.some((name) => name.startsWith(query)),
    ({ tags }: Emoji) => tags.some((tag) => tag.startsWith(query)),
    ({ names }: Emoji) => names.some((name) => name.includes(query)),
  ];
  return [...new Set(matches.flatMap((isMatch) => EMOJI.filter(isMatch)))];
}
