import { useQuery } from "@tanstack/react-query";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { grow } from "@/kit/growing";
import { isTouch } from "@/kit/touch";
import { emojiList } from "@/model/emoji/emoji";
import { typedName } from "@/model/markdown/mentions";
import type { Room } from "@/model/rooms/queries";
import { useSpaceMembers } from "@/model/spaces/queries";
import classes from "./ComposerField.module.css";
import { useFollowing } from "./chosen";
import type { Draft } from "./drafts";
import { afterEnter } from "./enter";
import { formatOf } from "./formats";
import { insertCompletion, selectionOf } from "./formatting";
import { pasted } from "./pasting";
import { SuggestionList } from "./SuggestionList";
import { suggestions, type Suggestion } from "./suggestions";
import { typeInto } from "./typeInto";

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
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState("");
  const pastesPlain = useRef(false);
  const withChange = useFollowing();
  const typed = typedName(draft.text, caret);
  const { data: members } = useSpaceMembers(room.space_id, typed?.mark === "@");
  const { data: emoji } = useQuery({ ...emojiList, enabled: typed?.mark === ":" });
  const offered =
    typed && dismissed !== typed.mark + typed.from
      ? suggestions(typed, members ?? [], emoji?.findEmoji ?? (() => []))
      : [];
  const active = Math.min(chosen, offered.length - 1);

  useLayoutEffect(() => grow(field.current), [draft.text, field]);
  useLayoutEffect(() => {
    const here = field.current;
    if (autoFocus && here) {
      here.focus();
      here.setSelectionRange(here.value.length, here.value.length);
    }
  }, [autoFocus, field]);

  const take = (suggestion: Suggestion) => {
    if (!typed || !field.current) return;
    const next = insertCompletion(draft.text, typed.from, caret, suggestion.insert);
    typeInto(field.current, next);
    if (!suggestion.actorId) return;
    const chosen = { at: typed.from, name: suggestion.insert.slice(1).trim(), id: suggestion.actorId };
    const moved = withChange(draft, next.text, next.end);
    onChange({ ...moved, mentions: [...moved.mentions.filter((each) => each.at !== chosen.at), chosen] });
  };

  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    const here = event.currentTarget;
    if (offered.length > 0 && ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(event.key)) {
      event.preventDefault();
      if (event.key === "ArrowDown") setChosen((active + 1) % offered.length);
      else if (event.key === "ArrowUp") setChosen((active - 1 + offered.length) % offered.length);
      else if (event.key === "Escape") setDismissed(typed ? typed.mark + typed.from : "");
      else if (offered[active]) take(offered[active]);
      return event.stopPropagation();
    }
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
    setCaret(here.selectionEnd);
    onContinues?.(afterEnter(selectionOf(here)) !== null);
  };

  return (
    <div className={classes.place}>
      <SuggestionList
        id={listId}
        offered={offered}
        active={active}
        organizationId={room.organization_id}
        onTake={take}
      />
      <textarea
        ref={field}
        className={classes.field}
        rows={1}
        dir="auto"
        value={draft.text}
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? listId : undefined}
        aria-activedescendant={offered[active] ? `${listId}-${active}` : undefined}
        onChange={(event) => {
          const { value, selectionEnd } = event.currentTarget;
          setChosen(0);
          if (!typedName(value, selectionEnd)) setDismissed("");
          caretMoved(event.currentTarget);
          onChange(withChange(draft, value, selectionEnd));
        }}
        onSelect={(event) => caretMoved(event.currentTarget)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}

const isControl = (event: React.KeyboardEvent): boolean => event.ctrlKey || event.metaKey;
