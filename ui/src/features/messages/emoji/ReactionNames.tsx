import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { shownEmoji } from "./emoji";
import classes from "./ReactionBar.module.css";

const MAX = 12;

interface Props {
  organizationId: string;
  emoji: string;
  userIds: string[];
}

/** Who put the emoji there: shown while one points at it, and read out with it. */
export function ReactionNames({ organizationId, emoji, userIds }: Props) {
  const more = userIds.length - MAX;
  return (
    <span className={classes.names}>
      {shownEmoji(emoji)}{" "}
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
