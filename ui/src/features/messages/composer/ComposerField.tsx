import { useLayoutEffect, useRef } from "react";
import { grow } from "@/kit/input/growing";
import { isTouch } from "@/kit/input/touch";
import type { Room } from "@/model/rooms/queries";
import { SuggestionList } from "@/model/writing/SuggestionList";
import { typeInto } from "@/model/writing/typeInto";
import { useSuggestions } from "@/model/writing/useSuggestions";
import classes from "./ComposerField.module.css";
import type { Draft } from "./drafts";
import { afterEnter } from "./enter";
import { formatOf } from "./formats";
import { selectionOf } from "./formatting";
import { pasted } from "./pasting";

interface Props {
  room: Room;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onSend: () => void;
  onEscape?: () => void;
  onArrowUp?: () => void;
  /** Says whether Enter continues a code block, list or quote instead of sending. */
  onEnterContinuesChange?: (continues: boolean) => void;
  /** Whether Enter starts a line and Ctrl+Enter sends, as always on touch screens, which have a button to send. */
  isLong?: boolean;
  label: string;
  autoFocus?: boolean;
  fieldRef?: React.RefObject<HTMLTextAreaElement | null>;
}

/** The text field of a message: grows with its text, suggests names and emoji, and has shortcuts. */
export function ComposerField(props: Props) {
  const {
    room,
    draft,
    onChange,
    onSend,
    onEscape,
    onArrowUp,
    onEnterContinuesChange: onContinues,
    isLong,
    label,
    autoFocus,
  } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.fieldRef ?? own;
  const pastesPlain = useRef(false);
  const suggested = useSuggestions({ room, written: draft, field, onChange });

  useLayoutEffect(() => grow(field.current), [draft.text, field]);
  useLayoutEffect(() => {
    const here = field.current;
    if (autoFocus && here) {
      here.focus();
      here.setSelectionRange(here.value.length, here.value.length);
    }
  }, [autoFocus, field]);

  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    const here = event.currentTarget;
    if (suggested.onKey(event)) return;
    pastesPlain.current = event.shiftKey && event.key.toLowerCase() === "v";
    const format = formatOf(event);
    const continued = event.key === "Enter" && !isControl(event) ? afterEnter(selectionOf(here)) : null;
    const edited = format ? format.edit(selectionOf(here)) : continued;
    if (edited) {
      event.preventDefault();
      typeInto(here, edited);
    } else if (event.key === "Enter" && !event.shiftKey && (isControl(event) || !(isLong || isTouch()))) {
      event.preventDefault();
      onSend();
    } else if (event.key === "Escape" && onEscape) {
      event.stopPropagation();
      onEscape();
    } else if (event.key === "ArrowUp" && !event.altKey && !draft.text && onArrowUp) {
      event.preventDefault();
      onArrowUp();
    }
  };

  const onPaste = (event: React.ClipboardEvent<HTMLTextAreaElement>) => {
    const here = event.currentTarget;
    const edited = pastesPlain.current ? null : pasted(selectionOf(here), event.clipboardData);
    if (!edited) return;
    event.preventDefault();
    typeInto(here, edited);
  };
  const caretMoved = (here: HTMLTextAreaElement) => {
    suggested.onCaret(here.selectionEnd);
    onContinues?.(afterEnter(selectionOf(here)) !== null);
  };

  return (
    <div className={classes.place}>
      <SuggestionList {...suggested.list} />
      <textarea
        ref={field}
        className={classes.field}
        rows={1}
        dir="auto"
        value={draft.text}
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={suggested.activeId && suggested.list.id}
        aria-activedescendant={suggested.activeId}
        onChange={(event) => {
          const { value, selectionEnd } = event.currentTarget;
          caretMoved(event.currentTarget);
          suggested.onText(value, selectionEnd);
        }}
        onSelect={(event) => caretMoved(event.currentTarget)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}

const isControl = (event: React.KeyboardEvent): boolean => event.ctrlKey || event.metaKey;
