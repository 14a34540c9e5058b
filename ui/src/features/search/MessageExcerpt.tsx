import { useMemo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { remarkGfm } from "@/model/markdown/remarkGfm";
import { Emoji } from "@/model/emoji/Emoji";
import { Mention } from "@/model/markdown/Mention";
import { isReadable } from "@/model/markdown/readable";
import { remarkEmoji } from "@/model/markdown/remarkEmoji";
import { remarkMentions } from "@/model/markdown/remarkMentions";
import { Excerpt } from "./Excerpt";
import classes from "./MessageExcerpt.module.css";
import type { SearchResult } from "./queries";
import { remarkHighlights, withMarks } from "./remarkHighlights";

interface Props {
  organizationId: string;
  excerpt: SearchResult["excerpt"];
}

interface Children {
  children?: ReactNode;
}

const PLUGINS = [remarkGfm, remarkMentions, remarkEmoji, remarkHighlights];
/** The formatting that an excerpt keeps. A result is a link and cannot contain links. */
const FORMATTING = ["p", "li", "tr", "th", "td", "strong", "em", "del", "code", "mark", "br", "span"];

const line = ({ children }: Children) => <span className={classes.line}>{children}</span>;
const cell = ({ children }: Children) => <span className={classes.cell}>{children}</span>;

/** A piece of a message with its matches highlighted, as Markdown without its blocks and links. */
export function MessageExcerpt({ organizationId, excerpt }: Props) {
  const components = useMemo(() => componentsFor(organizationId), [organizationId]);
  const marked = withMarks(excerpt.text, excerpt.highlights);
  if (!isReadable(marked)) return <Excerpt organizationId={organizationId} excerpt={excerpt} />;
  return (
    <span className={classes.excerpt}>
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        allowedElements={FORMATTING}
        unwrapDisallowed
        components={components}
      >
        {marked}
      </ReactMarkdown>
    </span>
  );
}

const componentsFor = (organizationId: string): Components => ({
  p: line,
  tr: line,
  th: cell,
  td: cell,
  li: ({ children }) => <span className={classes.item}>{children}</span>,
  span: ({ node }) => {
    const emoji = node?.properties["dataEmoji"] ?? node?.properties["data-emoji"];
    if (emoji) return <Emoji name={String(emoji)} />;
    const id = node?.properties["dataMention"] ?? node?.properties["data-mention"];
    return <Mention organizationId={organizationId} actorId={String(id)} />;
  },
});
