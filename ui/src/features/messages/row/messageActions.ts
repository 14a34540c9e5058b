import { Copy, Link2, MailOpen, MessageSquareReply, Pencil, SmilePlus, Trash2 } from "lucide-react";
import { messageOf } from "@/api/errors";
import type { Action } from "@/kit/overlay/actions";
import { copy } from "@/kit/text/clipboard";
import { showNotice } from "@/kit/overlay/notices";
import { rememberEmoji } from "@/model/emoji/frequent";
import type { Message } from "@/model/messages/history";
import { copyLink } from "@/model/messages/links";
import type { RoomContextValue } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import type { MessageShortcut } from "../keyboard/useMessageShortcuts";
import { toggleReaction } from "./changes";

const labels = texts.messages;

/** What the actions of a message open. */
export type Panel = "emoji" | "actions" | "delete";

export interface MessageAction extends Action {
  /** Whether only the sheet of touch screens offers it. */
  isInSheet?: boolean;
  shortcut?: MessageShortcut;
}

/** Return the actions that the reader has on a message. The toolbar and the sheet show the same. */
export function actionsOf(
  message: Message,
  context: RoomContextValue,
  open: (what: Panel) => void,
): MessageAction[] {
  const { room, personId, canWrite, canModerate, edit, openThread, markUnread } = context;
  const isOwn = message.user_id === personId;
  const isCounted = openThread !== null || message.thread_root_id !== null;
  const all: (MessageAction & { isOffered: boolean })[] = [
    {
      name: "react",
      label: labels.react,
      icon: SmilePlus,
      shortcut: "react",
      isOffered: canWrite,
      act: () => open("emoji"),
    },
    {
      name: "reply",
      label: labels.reply,
      icon: MessageSquareReply,
      shortcut: "reply",
      isOffered: openThread !== null,
      act: () => openThread?.(message),
    },
    {
      name: "copyText",
      label: labels.copyText,
      icon: Copy,
      isInSheet: true, // a mouse selects it
      isOffered: message.text !== "",
      act: () => void copy(message.text, labels.textCopied),
    },
    {
      name: "copyLink",
      label: labels.copyLink,
      icon: Link2,
      shortcut: "copyLink",
      isOffered: true,
      act: () => void copyLink(room, message),
    },
    {
      name: "markUnread",
      label: texts.unread.markUnread,
      icon: MailOpen,
      isOffered: !isOwn && markUnread !== null && isCounted,
      act: () => markUnread?.(message),
    },
    {
      name: "edit",
      label: labels.edit,
      icon: Pencil,
      shortcut: "edit",
      isOffered: isOwn && canWrite,
      act: () => edit(message.message_id),
    },
    {
      name: "delete",
      label: labels.delete,
      icon: Trash2,
      shortcut: "delete",
      isDangerous: true,
      isOffered: isOwn || canModerate,
      act: () => open("delete"),
    },
  ];
  return all.filter(({ isOffered }) => isOffered);
}

/** Add the reader's reaction to a message, or remove it. */
export function react(message: Message, emoji: string, personId: string): void {
  rememberEmoji(emoji);
  toggleReaction(message, emoji, personId).catch((error: unknown) =>
    showNotice(messageOf(error), { isError: true }),
  );
}
