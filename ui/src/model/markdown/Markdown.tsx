import type { PluggableList } from "unified";
import { memo } from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";
import { useCjkEmphasis } from "./cjk";
import { remarkGfm } from "./remarkGfm";
import boxes from "@/kit/input/CheckBox.module.css";
import { Scrollable } from "@/kit/layout/Scrollable";
import { CodeBlock } from "@/model/code/CodeBlock";
import { Emoji } from "@/model/emoji/Emoji";
import { texts } from "@/texts";
import classes from "./Markdown.module.css";
import { Mention } from "./Mention";
import { Plain, PlainIfBroken } from "./PlainIfBroken";
import { spanValue } from "./nodes";
import { isReadable } from "./readable";
import { remarkDirection } from "./remarkDirection";
import { remarkEmoji } from "./remarkEmoji";
import { remarkLinks } from "./remarkLinks";
import { remarkMentions } from "./remarkMentions";
import { remarkRooms } from "./remarkRooms";
import { RoomMention } from "./RoomMention";

interface Props {
  text: string;
  organizationId: string;
}

const PLUGINS: PluggableList = [
  remarkGfm,
  remarkLinks,
  remarkMentions,
  remarkRooms,
  remarkEmoji,
  remarkDirection,
];
const ELSEWHERE = { target: "_blank", rel: "noopener noreferrer nofollow ugc" };

/**
 * User text, rendered safely: raw HTML is text, links are limited to http(s) and mailto, and external images are
 * links, so that opening a message sends no request to another host.
 */
export const Markdown = memo(function Markdown({ text, organizationId }: Props) {
  return (
    <div className={classes.text}>
      <PlainIfBroken key={text} text={text}>
        <Read text={text} organizationId={organizationId} />
      </PlainIfBroken>
    </div>
  );
});

function Read({ text, organizationId }: Props) {
  const cjk = useCjkEmphasis(text);
  if (!isReadable(text)) return <Plain text={text} />;
  return (
    <ReactMarkdown
      remarkPlugins={cjk ? [...PLUGINS, cjk] : PLUGINS}
      components={componentsFor(organizationId)}
    >
      {text}
    </ReactMarkdown>
  );
}

const made = new Map<string, Components>();

function componentsFor(organizationId: string): Components {
  const known = made.get(organizationId);
  if (known) return known;
  const components: Components = {
    a: ({ href, children }) =>
      href ? (
        <a href={href} {...ELSEWHERE} dir="auto">
          {children}
        </a>
      ) : (
        <>{children}</>
      ),
    img: ({ src, alt }) =>
      src ? (
        <a href={String(src)} {...ELSEWHERE}>
          {alt || String(src)}
        </a>
      ) : (
        <>{alt}</>
      ),
    input: ({ checked }) => (
      <input
        type="checkbox"
        className={`${boxes.box} ${classes.checkbox}`}
        checked={checked ?? false}
        disabled
        aria-label={checked ? texts.messages.done : texts.messages.toDo}
      />
    ),
    p: ({ node, children, ...rest }) => (
      <p {...rest} className={isTitle(node) ? classes.title : undefined}>
        {children}
      </p>
    ),
    pre: ({ node }) => <CodeBlock {...codeOf(node)} />,
    table: ({ children }) => (
      <Scrollable className={classes.wide} label={texts.messages.table}>
        <table dir="auto">{children}</table>
      </Scrollable>
    ),
    // An empty header is a cell: screen readers would announce a header without a name.
    th: ({ children, style }) => (children ? <th style={style}>{children}</th> : <td style={style} />),
    span: ({ node }) => {
      const emoji = spanValue(node, "emoji");
      if (emoji) return <Emoji name={emoji} />;
      const room = spanValue(node, "room");
      if (room) return <RoomMention organizationId={organizationId} name={room} />;
      return <Mention organizationId={organizationId} actorId={spanValue(node, "mention") ?? ""} />;
    },
  };
  // Headings inside a message are not headings of the page.
  for (const heading of ["h1", "h2", "h3", "h4", "h5", "h6"] as const) {
    components[heading] = ({ children }) => (
      <p dir="auto" className={classes.heading} data-level={heading.slice(1)}>
        {children}
      </p>
    );
  }
  made.set(organizationId, components);
  return components;
}

/** Return whether a paragraph is in bold as a whole, as the titles of alerts are. */
function isTitle(paragraph: ExtraProps["node"]): boolean {
  const [only, ...others] = paragraph?.children ?? [];
  return only?.type === "element" && only.tagName === "strong" && others.length === 0;
}

/** The code of a `<pre>`, and the name after its fence; indented code has none. */
function codeOf(pre: ExtraProps["node"]): { language: string; code: string } {
  const [inner] = pre?.children ?? [];
  if (inner?.type !== "element") return { language: "", code: "" };
  const [text] = inner.children;
  const names = [inner.properties["className"] ?? []].flat().map(String);
  const language = names.find((each) => each.startsWith("language-"))?.slice("language-".length);
  return { language: language ?? "", code: text?.type === "text" ? text.value.replace(/\n$/, "") : "" };
}
