import { queryOptions, useQuery } from "@tanstack/react-query";
import { emojiKey } from "@/model/queryKeys";

/** All emoji with their names: about 100 KB, loaded when first needed. */
export const emojiList = queryOptions({
  queryKey: emojiKey(),
  staleTime: Infinity,
  gcTime: Infinity,
  structuralSharing: false,
  queryFn: () => import("./emojiList"),
});

/** Return whether a reaction is a short name, such as `+1`, as in imported messages. */
export const isShortName = (reaction: string): boolean => /^[\w+:-]+$/.test(reaction);

/** Return the emoji of a reaction; a short name stands between colons until its emoji is loaded. */
export function useReactionEmoji(reaction: string): string {
  const isName = isShortName(reaction);
  const { data } = useQuery({ ...emojiList, enabled: isName });
  if (!isName) return reaction;
  return data ? data.emojiOf(reaction) : `:${reaction}:`;
}
