import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { writeClipboard } from "@/kit/text/clipboard";
import { texts } from "@/texts";
import classes from "./CodeBlock.module.css";

const SHOWN_MS = 2000;

/** Copies code and says so for a moment. */
export function CopyButton({ text }: { text: string }) {
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
