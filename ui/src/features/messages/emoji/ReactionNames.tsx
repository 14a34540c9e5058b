import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { useReactionEmoji } from "@/model/emoji/emoji";
import classes from "./ReactionBar.module.css";

const MAX = 12;

interface Props {
  organizationId: string;
  emoji: string;
  userIds: string[];
}

/** The people who reacted, shown on hover and focus and announced by screen readers. */
export function ReactionNames({ organizationId, emoji, userIds }: Props) {
  const shown = useReactionEmoji(emoji);
  const more = userIds.length - MAX;
  return (
    <span className={classes.names}>
      {shown}{" "}
      {userIds.slice(0, MAX).map((id, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <ActorName organizationId={organizationId} actorId={id} />
        </span>
      ))}
      {more > 0 && ` ${texts.messages.andMore(more)}`}
    </span>
  );
}
