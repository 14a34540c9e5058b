import { ActionIcon, Popover } from "@mantine/core";
import { Bold, Code, Italic, SendHorizontal, Smile } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Room } from "@/features/rooms/queries";
import { texts } from "@/texts";
import classes from "./Composer.module.css";
import { ComposerField } from "./ComposerField";
import { draftAt, keepDraft, type Draft } from "./drafts";
import { EmojiPicker } from "./EmojiPicker";
import { completed, wrapped } from "./formatting";
import { withIds } from "./mentions";
import { send } from "./outbox";
import { tellOfTyping } from "./typing";

interface Props {
  room: Room;
  rootId: string | null;
  label: string;
  onSent: () => void;
  onArrowUp?: () => void;
  autoFocus?: boolean;
}

const EMPTY: Draft = { text: "", named: {} };

const FORMATS = [
  { mark: "**", label: texts.composer.bold, icon: Bold },
  { mark: "_", label: texts.composer.italic, icon: Italic },
  { mark: "`", label: texts.composer.code, icon: Code },
];

/** Writes to a room or a thread. What is not sent stays here, also over a reload. */
export function Composer({ room, rootId, label, onSent, onArrowUp, autoFocus }: Props) {
  const [draft, setDraft] = useState(() => draftAt(room.room_id, rootId));
  const [isPicking, pick] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => keepDraft(room.room_id, rootId, draft), [room.room_id, rootId, draft]);

  const change = (next: Draft) => {
    setDraft(next);
    if (next.text.length > draft.text.length) tellOfTyping(room.room_id);
  };
  const submit = () => {
    const text = withIds(draft.text, draft.named).trim();
    if (!text) return;
    send(room.room_id, rootId, text);
    setDraft(EMPTY);
    field.current?.focus();
    onSent();
  };
  const apply = (act: (start: number, end: number) => { text: string; start: number; end: number }) => {
    const here = field.current;
    if (!here) return;
    const next = act(here.selectionStart, here.selectionEnd);
    change({ ...draft, text: next.text });
    requestAnimationFrame(() => {
      here.focus();
      here.setSelectionRange(next.start, next.end);
    });
  };
  const insert = (emoji: string) => {
    pick(false);
    apply((start, end) => completed(draft.text, start, end, emoji));
  };

  return (
    <div className={classes.composer}>
      <ComposerField
        room={room}
        draft={draft}
        onChange={change}
        onSend={submit}
        onArrowUp={onArrowUp}
        label={label}
        autoFocus={autoFocus}
        fieldRef={field}
      />
      <div className={classes.tools}>
        {FORMATS.map(({ mark, label: name, icon: Icon }) => (
          <ActionIcon
            key={mark}
            variant="subtle"
            color="gray"
            title={name}
            aria-label={name}
            onClick={() => apply((start, end) => wrapped({ text: draft.text, start, end }, mark))}
          >
            <Icon size={16} />
          </ActionIcon>
        ))}
        <Popover opened={isPicking} onChange={pick} position="top-start" trapFocus returnFocus>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              title={texts.composer.emoji}
              aria-label={texts.composer.emoji}
              onClick={() => pick(!isPicking)}
            >
              <Smile size={17} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown p="xs">
            <EmojiPicker onPick={insert} />
          </Popover.Dropdown>
        </Popover>
        <ActionIcon
          className={classes.send}
          size="md"
          aria-label={texts.composer.send}
          title={texts.composer.send}
          disabled={!draft.text.trim()}
          onClick={submit}
        >
          <SendHorizontal size={16} />
        </ActionIcon>
      </div>
    </div>
  );
}
