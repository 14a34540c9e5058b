import { MessageSquare } from "lucide-react";
import { ago } from "@/kit/times";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { texts } from "@/texts";
import classes from "./ReplySummary.module.css";

/** The number of replies, as a button that opens the thread. */
export function ReplySummary({ message }: { message: Message }) {
  const { openThread } = useRoomContext();
  if (!openThread || message.reply_count === 0) return null;
  return (
    <button type="button" className={classes.summary} onClick={() => openThread(message)}>
      <MessageSquare size={14} aria-hidden />
      <b>{texts.messages.replies(message.reply_count)}</b>
      {message.last_reply_at && (
        <span>{texts.messages.lastReply(ago(message.last_reply_at, new Date()))}</span>
      )}
    </button>
  );
}
