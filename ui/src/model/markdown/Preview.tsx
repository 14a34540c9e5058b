import { memo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { remarkGfm } from "./remarkGfm";
import { Emoji } from "@/model/emoji/Emoji";
import { Mention } from "./Mention";
import classes from "./Preview.module.css";
import { spanValue } from "./nodes";
import { isReadable } from "./readable";
import { remarkEmoji } from "./remarkEmoji";
import { remarkMentions } from "./remarkMentions";

interface Props {
  text: string;
  organizationId: string;
  lines: number;
}

const PLUGINS = [remarkGfm, remarkMentions, remarkEmoji];
/** The elements that a preview keeps: it is inside a link, and cannot contain links. */
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const FORMATTING = ["p", "li", "tr", "strong", "em", "del", "code", "br", "span", ...HEADINGS];

/** The first lines of a message. */
export const Preview = memo(function Preview({ text, organizationId, lines }: Props) {
  const shown = text.slice(0, 400 * lines);
  return (
    <span className={classes.preview} dir="auto" style={{ WebkitLineClamp: lines }}>
      {isReadable(shown) ? (
        <ReactMarkdown
          remarkPlugins={PLUGINS}
          allowedElements={FORMATTING}
          unwrapDisallowed
          components={componentsFor(organizationId)}
        >
          {shown}
        </ReactMarkdown>
      ) : (
        shown
      )}
    </span>
  );
});

const line = ({ children }: { children?: ReactNode }) => <span className={classes.line}>{children}</span>;

const heading = ({ children }: { children?: ReactNode }) => <b className={classes.line}>{children}</b>;

const componentsFor = (organizationId: string): Components => ({
  ...Object.fromEntries(HEADINGS.map((each) => [each, heading])),
  p: line,
  tr: line,
  li: line,
  span: ({ node }) => {
    const emoji = spanValue(node, "emoji");
    if (emoji) return <Emoji name={emoji} />;
    return <Mention organizationId={organizationId} actorId={spanValue(node, "mention") ?? ""} />;
  },
});
