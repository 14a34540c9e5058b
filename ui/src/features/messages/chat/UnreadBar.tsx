import { timeOrDate } from "@/kit/text/times";
import { texts } from "@/texts";
import classes from "./UnreadBar.module.css";

interface Props {
  count: number;
  isCapped: boolean;
  since: string | undefined;
  /** Null while the first unread message is visible. */
  onJump: (() => void) | null;
  onRead: () => void;
}

/** The number of unread messages, above the messages while not all of them are visible. */
export function UnreadBar({ count, isCapped, since, onJump, onRead }: Props) {
  return (
    <div className={classes.bar} role="group" aria-label={texts.unread.bar}>
      <p className={classes.count}>
        <b>{texts.unread.newMessages(isCapped ? `${count}+` : String(count))}</b>
        {since && <span> {texts.unread.since(timeOrDate(since, new Date()))}</span>}
      </p>
      {onJump && (
        <button type="button" onClick={onJump}>
          {texts.unread.jump}
        </button>
      )}
      <button type="button" onClick={onRead}>
        {texts.unread.markRead}
      </button>
    </div>
  );
}
