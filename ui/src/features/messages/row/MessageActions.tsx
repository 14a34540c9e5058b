import { Popover } from "@mantine/core";
import { Link2, MailOpen, MessageSquareReply, Pencil, SmilePlus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/notices";
import { ignoreClickThatShows } from "@/kit/presses";
import { copyLink } from "@/model/messages/links";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { texts } from "@/texts";
import { EmojiPicker } from "../emoji/EmojiPicker";
import { pressedBy } from "../keyboard/useMessageShortcuts";
import { deleteMessage, toggleReaction } from "./changes";
import classes from "./MessageActions.module.css";

const DeleteDialog = lazy(() => import("@/kit/DeleteDialog").then((m) => ({ default: m.DeleteDialog })));

/** The actions of a message, shown on hover and focus. */
export function MessageActions({ message }: { message: Message }) {
  const { room, personId, canWrite, canModerate, edit, openThread, markUnread } = useRoomContext();
  const [isPicking, setPicking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const isOwn = message.user_id === personId;
  const react = (emoji: string) => {
    setPicking(false);
    toggleReaction(message, emoji, personId).catch((error: unknown) =>
      showNotice(messageOf(error), { isError: true }),
    );
  };
  return (
    <div
      className={classes.actions}
      data-open={isPicking || undefined}
      role="toolbar"
      aria-label={texts.messages.actions}
      onClickCapture={ignoreClickThatShows}
    >
      {canWrite && (
        <Popover opened={isPicking} onChange={setPicking} position="top-end" trapFocus returnFocus>
          <Popover.Target>
            <Act
              label={texts.messages.react}
              onClick={() => setPicking(!isPicking)}
              icon={<SmilePlus size={17} />}
              {...pressedBy("react")}
            />
          </Popover.Target>
          <Popover.Dropdown p="xs">
            <EmojiPicker onPick={react} />
          </Popover.Dropdown>
        </Popover>
      )}
      {openThread && (
        <Act
          label={texts.messages.reply}
          onClick={() => openThread(message)}
          icon={<MessageSquareReply size={17} />}
          {...pressedBy("reply")}
        />
      )}
      <Act
        label={texts.messages.copyLink}
        onClick={() => void copyLink(room, message)}
        icon={<Link2 size={17} />}
        {...pressedBy("copyLink")}
      />
      {!isOwn && markUnread && (openThread || message.thread_root_id) && (
        <Act
          label={texts.unread.markUnread}
          onClick={() => markUnread(message)}
          icon={<MailOpen size={16} />}
        />
      )}
      {isOwn && canWrite && (
        <Act
          label={texts.messages.edit}
          onClick={() => edit(message.message_id)}
          icon={<Pencil size={16} />}
          {...pressedBy("edit")}
        />
      )}
      {(isOwn || canModerate) && (
        <Act
          label={texts.messages.delete}
          onClick={() => setDeleting(true)}
          icon={<Trash2 size={16} />}
          {...pressedBy("delete")}
        />
      )}
      {isDeleting && (
        <Suspense>
          <DeleteDialog
            title={texts.messages.deleteTitle}
            onDelete={() => deleteMessage(message)}
            onClose={() => setDeleting(false)}
          >
            {texts.messages.deleteMore}
          </DeleteDialog>
        </Suspense>
      )}
    </div>
  );
}

interface ActProps extends React.ComponentPropsWithRef<"button"> {
  label: string;
  icon: React.ReactNode;
}

function Act({ label, icon, ...button }: ActProps) {
  return (
    <button type="button" title={label} aria-label={label} {...button}>
      {icon}
    </button>
  );
}
