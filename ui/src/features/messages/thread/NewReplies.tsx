import type { UnreadThread } from "@/model/unread/counts";
import { texts } from "@/texts";
import classes from "./NewReplies.module.css";

/** The number of new replies, next to the number of all. */
export function NewReplies({ unread }: { unread: UnreadThread }) {
  const { unread_count: replies, capped } = unread;
  return (
    <span className={classes.new}>
      <span aria-hidden>{texts.unread.newReplies(capped ? `${replies}+` : `${replies}`)}</span>
      <span className={classes.hidden}>{texts.unread.replies(replies)}</span>
    </span>
  );
}
