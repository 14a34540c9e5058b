import { Sheet } from "@/kit/overlay/Sheet";
import { useReactionEmoji } from "@/model/emoji/emoji";
import type { Message } from "@/model/messages/history";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import classes from "./ReactionsSheet.module.css";

interface Props {
  reactions: Message["reactions"];
  organizationId: string;
  onClosed: () => void;
}

/** Who reacted to a message, by emoji. */
export function ReactionsSheet({ reactions, organizationId, onClosed }: Props) {
  return (
    <Sheet title={texts.messages.reactions} onClosed={onClosed}>
      {() =>
        reactions.map(({ emoji, user_ids }) => (
          <section key={emoji} className={classes.reaction}>
            <Heading emoji={emoji} count={user_ids.length} />
            <ul>
              {user_ids.map((id) => (
                <li key={id}>
                  <ActorAvatar organizationId={organizationId} actorId={id} size={28} />
                  <ActorName organizationId={organizationId} actorId={id} />
                </li>
              ))}
            </ul>
          </section>
        ))
      }
    </Sheet>
  );
}

function Heading({ emoji, count }: { emoji: string; count: number }) {
  const shown = useReactionEmoji(emoji);
  return (
    <h3>
      {shown} {count}
    </h3>
  );
}
