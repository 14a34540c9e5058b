import { Download, FileText, Image } from "lucide-react";
import boxes from "@/kit/input/CheckBox.module.css";
import { formatBytes } from "@/kit/text/units";
import { CodeBlock } from "@/model/code/CodeBlock";
import { Markdown } from "@/model/markdown/Markdown";
import { texts } from "@/texts";
import classes from "./BlockContent.module.css";
import { fileOf, isWeb, itemsOf, levelsOf, nesting, textOf, type BlockType } from "./content";

interface Props {
  type: BlockType;
  content: Record<string, unknown>;
  organizationId: string;
  onTick?: (index: number) => void;
}

const ELSEWHERE = { target: "_blank", rel: "noopener noreferrer nofollow ugc" };

/** A block for reading. Images that were uploaded are shown. External images and files are links, so that reading sends no request to another host. */
export function BlockContent({ type, content, organizationId, onTick }: Props) {
  const text = String(content.text ?? "");
  const markdown = <Markdown text={text} organizationId={organizationId} />;
  switch (type) {
    case "heading":
      return <Heading level={Number(content.level ?? 1)}>{markdown}</Heading>;
    case "list": {
      const items = itemsOf<string>(content).map((item, index) => (
        <li key={index} {...nesting(levelsOf(type, content), index)}>
          <Markdown text={item} organizationId={organizationId} />
        </li>
      ));
      return content.ordered ? (
        <ol className={classes.list}>{items}</ol>
      ) : (
        <ul className={classes.list}>{items}</ul>
      );
    }
    case "todo":
      return (
        <ul className={classes.todo}>
          {itemsOf<{ text: string; done: boolean }>(content).map((item, index) => (
            <li key={index} data-done={item.done || undefined} {...nesting(levelsOf(type, content), index)}>
              <input
                type="checkbox"
                className={boxes.box}
                checked={item.done}
                disabled={!onTick}
                onChange={() => onTick?.(index)}
                aria-label={item.text || texts.blocks.task}
              />
              <Markdown text={item.text} organizationId={organizationId} />
            </li>
          ))}
        </ul>
      );
    case "code":
      return <CodeBlock language={String(content.language ?? "")} code={text} />;
    case "quote":
      return <blockquote className={classes.quote}>{markdown}</blockquote>;
    case "callout":
      return (
        <div className={classes.callout}>
          <span aria-hidden>{String(content.emoji || "💡")}</span>
          {markdown}
        </div>
      );
    case "divider":
      return <hr className={classes.divider} />;
    case "image":
    case "file":
      if (fileOf(content)) return <Uploaded type={type} content={content} />;
      return <ExternalLink type={type} content={content} />;
    default:
      return markdown;
  }
}

function Heading({ level, children }: { level: number; children: React.ReactNode }) {
  return (
    <div className={classes.heading} data-level={level} role="heading" aria-level={Math.min(level + 1, 4)}>
      {children}
    </div>
  );
}

function ExternalLink({ type, content }: Pick<Props, "content"> & { type: "image" | "file" }) {
  if (!isWeb(content.url)) return null;
  const Icon = type === "image" ? Image : FileText;
  const name = String(content.caption || content.alt || content.name || content.url);
  return (
    <a className={classes.elsewhere} href={content.url} {...ELSEWHERE}>
      <Icon size={17} aria-hidden />
      <bdi>{name}</bdi>
    </a>
  );
}

/** An image or a file that was uploaded to this server. */
function Uploaded({ type, content }: Pick<Props, "content"> & { type: "image" | "file" }) {
  const url = fileOf(content) ?? undefined;
  const words = textOf(content, "caption");
  const name = textOf(content, "name");
  if (type === "image")
    return (
      <figure className={classes.figure}>
        <a
          href={url}
          target="_blank"
          rel="noopener"
          aria-label={texts.blocks.open(textOf(content, "alt") || words)}
        >
          <img src={url} alt={textOf(content, "alt") || words} loading="lazy" decoding="async" />
        </a>
        {words && <figcaption dir="auto">{words}</figcaption>}
      </figure>
    );
  return (
    <a className={classes.elsewhere} href={url} download={name}>
      <FileText size={17} aria-hidden />
      <bdi>{name || url}</bdi>
      {typeof content.size === "number" && <span className={classes.size}>{formatBytes(content.size)}</span>}
      <Download size={15} aria-hidden />
    </a>
  );
}
