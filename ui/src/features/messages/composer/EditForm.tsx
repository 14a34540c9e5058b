import { Button, Group } from "@mantine/core";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { messageOf } from "@/api/errors";
import { withIds } from "@/model/markdown/mentions";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { named } from "@/model/writing/named";
import { texts } from "@/texts";
import { editMessage } from "../row/changes";
import { ComposerField } from "./ComposerField";
import { excessOf, MAX_CHARACTERS } from "./tooLong";
import type { Draft } from "./drafts";
import { splitTitle, withTitle } from "./postTitle";
import { TitleField } from "./TitleField";
import classes from "./EditForm.module.css";

/** Edits a message in place. Enter saves, Escape cancels. */
export function EditForm({ message }: { message: Message }) {
  const { room, edit } = useRoomContext();
  const isPost = room.room_type === "post" && message.thread_root_id === null;
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<Draft>(() => {
    const { title, text } = isPost ? splitTitle(message.text) : { title: "", text: message.text };
    return { title, ...named(text) };
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const close = useClose(message, () => edit(null));
  const save = async () => {
    const text = withTitle(draft.title ?? "", withIds(draft.text, draft.mentions)).trim();
    if (!text && message.blocks.length === 0) return;
    const excess = excessOf(text);
    if (excess > 0) return setProblem(texts.composer.tooLong(excess, MAX_CHARACTERS));
    setSaving(true);
    try {
      if (text !== message.text) await editMessage(message, text);
      close();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  return (
    <div className={classes.form} data-post={isPost || undefined}>
      {isPost && (
        <TitleField
          value={draft.title ?? ""}
          onChange={(title) => setDraft({ ...draft, title })}
          onEnter={() => field.current?.focus()}
        />
      )}
      <ComposerField
        room={room}
        draft={draft}
        onChange={(next) => setDraft({ ...next, title: draft.title })}
        isLong={isPost}
        fieldRef={field}
        onSend={() => void save()}
        onEscape={close}
        label={texts.messages.editLabel}
        autoFocus
      />
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <Group gap="xs" p={8} pt={0} justify="flex-end">
        <Button size="compact-sm" variant="default" onClick={close}>
          {texts.app.cancel}
        </Button>
        <Button size="compact-sm" loading={isSaving} onClick={() => void save()}>
          {texts.app.save}
        </Button>
      </Group>
    </div>
  );
}

/** Close the form, and give the focus back: to the composer if it opened the form, or else to the message. */
function useClose({ message_id }: Message, close: () => void): () => void {
  const [before] = useState(() => document.activeElement);
  return () => {
    flushSync(close);
    const isField = before instanceof HTMLTextAreaElement && before.isConnected;
    const place = isField ? before : document.getElementById(`message-${message_id}`);
    place?.focus({ preventScroll: !isField });
  };
}
