import { flushSync } from "react-dom";
import { lazy, Suspense, useEffect, useRef, useState, type ClipboardEvent } from "react";
import { Button } from "@mantine/core";
import { FileText } from "lucide-react";
import { useStore } from "@/kit/data/store";
import { showNotice } from "@/kit/overlay/notices";
import { withIds } from "@/model/markdown/mentions";
import { send } from "@/model/messages/outbox";
import { sendTyping } from "@/model/messages/typing";
import type { Room } from "@/model/rooms/queries";
import type { Selected } from "@/model/writing/edits";
import { typeInto } from "@/model/writing/typeInto";
import { texts } from "@/texts";
import {
  attach,
  MAX_FILES,
  pendingAttachments,
  takeAttachments,
  type PendingAttachment,
} from "../attachments/pendingAttachments";
import classes from "./Composer.module.css";
import { ComposerField } from "./ComposerField";
import { ComposerPreview } from "./ComposerPreview";
import { ComposerTools } from "./ComposerTools";
import { draftAt, storeDraft, type Draft } from "./drafts";
import { withoutEmptyEnd } from "./enter";
import { replaceSelection, selectionOf } from "./formatting";
import { withTitle } from "./postTitle";
import { TitleField } from "./TitleField";
import { excessOf, MAX_CHARACTERS, splitForFile } from "./tooLong";

const AttachmentTray = lazy(() =>
  import("../attachments/AttachmentTray").then((m) => ({ default: m.AttachmentTray })),
);

interface Props {
  room: Room;
  rootId: string | null;
  label: string;
  onSent: () => void;
  onArrowUp?: () => void;
  autoFocus?: boolean;
  /** A post has a title and a tall field, where Ctrl+Enter publishes. */
  isPost?: boolean;
}

const EMPTY: Draft = { text: "", mentions: [] };

/** Writes a message to a room or thread. Unsent text is stored as a draft. */
export function Composer({ room, rootId, label, onSent, onArrowUp, autoFocus, isPost }: Props) {
  const place = rootId ?? room.room_id;
  const [draft, setDraft] = useState(() => draftAt(room.room_id, rootId));
  const [isPreviewed, setPreviewed] = useState(false);
  const [continues, setContinues] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useStore(pendingAttachments).filter((each) => each.place === place);
  const pasted = useRef("");
  const excess = excessOf(textToSend(draft));
  const sendBlocker = sendBlockerOf(draft, excess, files);
  const isIdle = !isPost && draft.text === "" && files.length === 0;
  useEffect(() => storeDraft(room.room_id, rootId, draft), [room.room_id, rootId, draft]);

  const change = (next: Draft) => {
    setDraft(next);
    if (next.text.length > draft.text.length) sendTyping(room.room_id);
  };
  const write = () => {
    flushSync(() => setPreviewed(false)); // a hidden field cannot have the focus
    field.current?.focus();
  };
  const submit = () => {
    if (sendBlocker) showNotice(sendBlocker);
    if (sendBlocker !== null) return;
    const named = takeAttachments(place).map(({ attachmentId, file }) => ({
      attachment_id: attachmentId ?? "",
      name: file.name,
    }));
    send(room.room_id, rootId, textToSend(draft), named);
    setDraft(EMPTY);
    setContinues(false);
    write();
    onSent();
  };
  const apply = (edit: (selected: Selected) => Selected) => {
    const here = field.current;
    if (!here) return;
    const next = edit(selectionOf(here));
    typeInto(here, next);
    requestAnimationFrame(() => {
      here.focus(); // a closing picker gives the focus back to its button
      here.setSelectionRange(next.start, next.end);
    });
  };
  const takeFiles = (chosen: File[]) => {
    attach(room.room_id, place, chosen);
    field.current?.focus();
  };
  const paste = (event: ClipboardEvent) => {
    if (event.defaultPrevented) return; // a link or a table
    const chosen = [...event.clipboardData.files];
    if (chosen.length === 0) {
      pasted.current = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n"); // as in the field
      return;
    }
    event.preventDefault();
    takeFiles(chosen);
  };
  const attachText = () => {
    if (files.length >= MAX_FILES) return showNotice(texts.attachments.tooMany(MAX_FILES), { isError: true });
    const { file, rest } = splitForFile(draft.text, pasted.current);
    if (field.current) typeInto(field.current, { text: rest, start: rest.length, end: rest.length });
    takeFiles([new File([file], texts.composer.fileName, { type: "text/plain" })]);
  };

  return (
    <div
      className={classes.composer}
      data-composer={(rootId === null && !isPost) || undefined}
      data-idle={isIdle || undefined}
      data-post={isPost}
      onPaste={paste}
    >
      <Suspense>{files.length > 0 && <AttachmentTray place={place} />}</Suspense>
      {isPreviewed && (
        <ComposerPreview
          text={textToSend(draft)}
          organizationId={room.organization_id}
          label={texts.composer.preview}
        />
      )}
      <div hidden={isPreviewed}>
        {isPost && (
          <TitleField
            value={draft.title ?? ""}
            onChange={(title) => setDraft({ ...draft, title })}
            onEnter={() => field.current?.focus()}
            autoFocus={autoFocus}
          />
        )}
        <ComposerField
          room={room}
          draft={draft}
          onChange={change}
          onSend={submit}
          onArrowUp={onArrowUp}
          onEnterContinuesChange={setContinues}
          isLong={isPost}
          label={label}
          autoFocus={autoFocus && !isPost}
          fieldRef={field}
        />
      </div>
      {excess > 0 && <TooLongNotice excess={excess} onAttach={attachText} />}
      <ComposerTools
        onFiles={takeFiles}
        onFormat={(format) => apply(format.edit)}
        onEmoji={(emoji) => {
          if (isPreviewed) write();
          apply((selected) => replaceSelection(selected, emoji));
        }}
        isPreviewed={isPreviewed}
        canPreview={textToSend(draft) !== ""}
        onPreview={() => (isPreviewed ? write() : setPreviewed(true))}
        enterContinues={continues}
        isPost={isPost}
        notYet={sendBlocker}
        onSend={submit}
      />
    </div>
  );
}

function textToSend({ title = "", text, mentions }: Draft): string {
  return withTitle(title, withIds(withoutEmptyEnd(text), mentions)).trim();
}

/** Return why a message cannot be sent yet; empty if nothing is written, null if it can be sent. */
function sendBlockerOf(draft: Draft, excess: number, files: PendingAttachment[]): string | null {
  if (excess > 0) return texts.composer.tooLong(excess, MAX_CHARACTERS);
  const failed = files.find((each) => each.failed);
  if (failed) return texts.attachments.failed(failed.failed ?? "");
  if (files.some((each) => !each.attachmentId)) return texts.attachments.waiting;
  return textToSend(draft) || files.length > 0 ? null : "";
}

interface TooLongNoticeProps {
  excess: number;
  onAttach: () => void;
}

/** Says by how much a message is too long, and offers to attach the text as a file. */
function TooLongNotice({ excess, onAttach }: TooLongNoticeProps) {
  return (
    <div role="alert" className={classes.tooLong}>
      <span>{texts.composer.tooLong(excess, MAX_CHARACTERS)}</span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<FileText size={15} aria-hidden />}
        onClick={onAttach}
      >
        {texts.composer.attachText}
      </Button>
    </div>
  );
}
