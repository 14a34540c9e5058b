import { useQuery } from "@tanstack/react-query";
import { memo, useLayoutEffect, useRef, useState, useEffect } from "react";
import { Check, Copy } from "lucide-react";
import { Scrollable } from "@/kit/layout/Scrollable";
import { writeClipboard } from "@/kit/text/clipboard";
import { texts } from "@/texts";
import classes from "./CodeBlock.module.css";
import { excerptOf, type Excerpt } from "./excerpt";
import { tokensOfCode } from "./highlighting";
import { languageOf } from "./languages";
import { cutTokens, type Token } from "./token";

interface Props {
  /** The name after the fence. */
  language: string;
  code: string;
}

/** The long blocks that the reader has open; they stay open when they are scrolled away and back. */
const openBlocks = new Set<string>();

/** A block of code, highlighted once it is on screen. Of a long one, the beginning is shown first. */
export const CodeBlock = memo(function CodeBlock({ language, code }: Props) {
  const known = languageOf(language);
  const excerpt = excerptOf(code);
  const { isOpen, toggle, button } = useOpenBlock(code);
  const { isSeen, ref } = useOnScreen();
  const { data: tokens } = useQuery({
    ...tokensOfCode(known?.id ?? "", code),
    enabled: isSeen && !!known?.id,
  });
  const length = excerpt && !isOpen ? excerpt.length : code.length;
  return (
    <div ref={ref} className={classes.block} dir="ltr">
      <div className={classes.head} data-bare={known === null || undefined}>
        {known && <span className={classes.language}>{known.label}</span>}
        <CopyButton text={code} />
      </div>
      <Scrollable as="pre" className={classes.code} label={texts.code.label(known?.label)}>
        <code>{tokens ? <Tokens tokens={cutTokens(tokens, length)} /> : code.slice(0, length)}</code>
      </Scrollable>
      {excerpt && (
        <button
          ref={button}
          type="button"
          className={classes.more}
          aria-expanded={isOpen}
          data-grows
          onClick={toggle}
        >
          {isOpen ? texts.code.less : expandLabel(excerpt, code)}
        </button>
      )}
    </div>
  );
});

function Tokens({ tokens }: { tokens: Token[] }) {
  return tokens.map(([text, kind], index) =>
    kind ? (
      <span key={index} data-token={kind}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}

const expandLabel = ({ lines }: Excerpt, code: string): string =>
  lines > 1 ? texts.code.allLines(lines) : texts.code.allCharacters(code.length);

/** Return whether a long block is open. When it closes, its button stays where it is on the screen. */
function useOpenBlock(code: string) {
  const [isOpen, setOpen] = useState(() => openBlocks.has(code));
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (before.current === null || !button.current) return;
    const moved = button.current.getBoundingClientRect().top - before.current;
    before.current = null;
    if (!isOpen) scrollParent(button.current)?.scrollBy(0, moved);
  }, [isOpen]);
  const toggle = () => {
    before.current = button.current?.getBoundingClientRect().top ?? null;
    if (isOpen) openBlocks.delete(code);
    else openBlocks.add(code);
    setOpen(!isOpen);
  };
  return { isOpen, toggle, button };
}

function scrollParent(element: HTMLElement): HTMLElement | null {
  let each = element.parentElement;
  while (
    each &&
    !(each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
  )
    each = each.parentElement;
  return each;
}

const SHOWN_MS = 2000;

/** Copies code and says so for a moment. */
function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={isCopied ? texts.code.copied : texts.code.copyLabel}
      onClick={() => void writeClipboard(text).then(setCopied)}
    >
      <Icon size={13} aria-hidden />
      <span role="status">{isCopied ? texts.code.copied : texts.code.copy}</span>
    </button>
  );
}

/** Return whether an element has been on the screen, or close to it. */
function useOnScreen() {
  const ref = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !ref.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((each) => each.isIntersecting) && setSeen(true),
      { rootMargin: "200px" },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return { isSeen, ref };
}
