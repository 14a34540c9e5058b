import { useReactionEmoji } from "./emoji";

/** The emoji of a short name; if there is none, the name between colons. */
export function Emoji({ name }: { name: string }) {
  return <span title={`:${name}:`}>{useReactionEmoji(name)}</span>;
}
