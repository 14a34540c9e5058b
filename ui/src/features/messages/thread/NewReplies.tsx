import { CountBadge } from "@/kit/layout/CountBadge";
import type { UnreadThread } from "@/model/unread/counts";
import { texts } from "@/texts";

/** The number of new replies, next to the number of all. */
export function NewReplies({ unread }: { unread: UnreadThread }) {
  return (
    <CountBadge
      count={unread.unread_count}
      isCapped={unread.capped}
      text={texts.unread.newReplies}
      isStrong
      label={texts.unread.replies(unread.unread_count)}
    />
  );
}
