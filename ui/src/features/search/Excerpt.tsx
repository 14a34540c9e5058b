import type { SearchResult } from "./queries";
import { partsOf } from "./parts";

/** A piece of a message, with what was found marked. */
export function Excerpt({ excerpt }: { excerpt: SearchResult["excerpt"] }) {
  return partsOf(excerpt.text, excerpt.highlights).map(({ text, isFound }, index) =>
    isFound ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  );
}
