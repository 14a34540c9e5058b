import { useLayoutEffect, useRef } from "react";
import { grow } from "@/kit/input/growing";
import classes from "./Fields.module.css";
import type { Focus } from "./pageEditor";

export interface FieldKeys {
  /** Enter, with the texts before and after the caret. */
  onEnter: (before: string, after: string) => void;
  /** Backspace at the very beginning. */
  onBackspace: () => void;
  /** An arrow key that leads out of the field. */
  onStep: (by: 1 | -1) => void;
}

export interface GrowingFieldProps extends FieldKeys {
  value: string;
  label: string;
  placeholder?: string;
  className?: string;
  /** Where the caret goes; a new object moves it again. */
  focus: Focus | null;
  isNewLine?: (before: string) => boolean;
  onChange: (value: string, caret: number) => void;
  /** Other keys; return true to stop there. */
  onKey?: (event: React.KeyboardEvent<HTMLTextAreaElement>) => boolean;
  list?: { id: string; active: string | undefined };
  /** The id of a text that explains its keys. */
  describedBy?: string;
  /** Where the caret is; 0 when it leaves. */
  onCaret?: (caret: number) => void;
  fieldRef?: React.RefObject<HTMLTextAreaElement | null>;
}

/** A field that is as tall as its text, and that the caret leaves like a paragraph. */
export function GrowingField(props: GrowingFieldProps) {
  const { value, label, placeholder, className = "", focus, onChange, onCaret, list } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.fieldRef ?? own;
  useLayoutEffect(() => grow(field.current), [value, field]);
  useLayoutEffect(() => {
    if (focus && focus.caret !== "row" && focus.caret !== "here") putCaret(field.current, focus.caret);
  }, [focus, field]);
  return (
    <textarea
      ref={field}
      className={`${classes.field} ${className}`}
      rows={1}
      dir="auto"
      spellCheck
      value={value}
      placeholder={placeholder}
      aria-label={label}
      aria-describedby={props.describedBy}
      aria-autocomplete={list && "list"}
      aria-controls={list?.active ? list.id : undefined}
      aria-activedescendant={list?.active}
      onChange={(event) => onChange(event.currentTarget.value, event.currentTarget.selectionEnd)}
      onSelect={(event) => onCaret?.(event.currentTarget.selectionEnd)}
      onBlur={() => onCaret?.(0)}
      onKeyDown={(event) => {
        if (!props.onKey?.(event)) onKeyDown(event, props);
      }}
    />
  );
}

function onKeyDown(event: React.KeyboardEvent<HTMLTextAreaElement>, props: GrowingFieldProps): void {
  const field = event.currentTarget;
  const { value, selectionStart: start, selectionEnd: end } = field;
  const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
  const leaves = event.ctrlKey || event.metaKey || !props.isNewLine?.(value.slice(0, start));
  if (event.key === "Enter" && !event.shiftKey && leaves) {
    event.preventDefault();
    props.onEnter(value.slice(0, start), value.slice(end));
  } else if (event.key === "Backspace" && start === 0 && end === 0) {
    event.preventDefault();
    props.onBackspace();
  } else if (isPlain && start === end && leadsOut(field, event.key)) {
    event.preventDefault();
    props.onStep(event.key === "ArrowUp" ? -1 : 1);
  }
}

/** Return whether an arrow key leads out of a field: up from its first line, or down from its last, as they are on the screen. */
function leadsOut(field: HTMLTextAreaElement, key: string): boolean {
  if (key !== "ArrowUp" && key !== "ArrowDown") return false;
  const before = heightOf(field, field.value.slice(0, field.selectionStart));
  return before === heightOf(field, key === "ArrowUp" ? "" : field.value);
}

/** Return the height of a text in a field. */
function heightOf(field: HTMLTextAreaElement, text: string): number {
  const { font, letterSpacing, lineHeight } = getComputedStyle(field);
  const mirror = document.createElement("div");
  Object.assign(mirror.style, { font, letterSpacing, lineHeight, width: `${field.clientWidth}px` });
  Object.assign(mirror.style, { position: "absolute", visibility: "hidden", whiteSpace: "pre-wrap" });
  mirror.style.overflowWrap = "break-word";
  mirror.textContent = `${text}\u200b`;
  document.body.append(mirror);
  const height = mirror.offsetHeight;
  mirror.remove();
  return height;
}

function putCaret(field: HTMLTextAreaElement | null, caret: "start" | "end" | number): void {
  if (!field) return;
  const at = caret === "start" ? 0 : caret === "end" ? field.value.length : caret;
  field.focus();
  field.setSelectionRange(at, at);
}
