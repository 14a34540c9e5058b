import { Mention } from "@/model/markdown/Mention";
import { MENTION } from "@/model/markdown/mentions";
import { splitHighlights } from "./parts";
import type { SearchResult } from "./queries";

interface Props {
  organizationId: string;
  excerpt: SearchResult["excerpt"];
}

/** A piece of plain text with its matches highlighted. */
export function Excerpt({ organizationId, excerpt }: Props) {
  return splitHighlights(excerpt.text, excerpt.highlights).map(({ text, isFound }, index) =>
    isFound ? (
      <mark key={index}>{text}</mark>
    ) : (
      <span key={index}>
        {text
          .split(MENTION)
          .map((part, at) =>
            at % 2 ? <Mention key={at} organizationId={organizationId} actorId={part} /> : part,
          )}
      </span>
    ),
  );
}
