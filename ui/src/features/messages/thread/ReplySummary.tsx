import { MessageSquare } from "lucide-react";
import { formatRelative } from "@/kit/text/times";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { useUnreadThread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { NewReplies } from "./NewReplies";
import classes from "./ReplySummary.module.css";

/** The number of replies, as a button that opens the thread. */
export function ReplySummary({ message }: { message: Message }) {
  const { room, openThread } = useRoomContext();
  const unread = useUnreadThread(room.organization_id, room.room_id, message.message_id);
  if (!openThread || message.reply_count === 0) return null;
  return (
    <button type="button" className={classes.summary} onClick={() => openThread(message)}>
      <MessageSquare size={14} aria-hidden />
      <b>{texts.messages.replies(message.reply_count)}</b>
      {unread && <NewReplies unread={unread} />}
      {message.last_reply_at && (
        <span className={classes.when}>
          {texts.messages.lastReply(formatRelative(message.last_reply_at, new Date()))}
        </span>
      )}
    </button>
  );
}
