import { lazy, Suspense, useState } from "react";
import { useLongPress } from "@/kit/input/longPress";
import { useReactionEmoji } from "@/model/emoji/emoji";
import type { Message } from "@/model/messages/history";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { react } from "../row/messageActions";
import classes from "./ReactionBar.module.css";

const ReactionsSheet = lazy(() => import("./ReactionsSheet").then((m) => ({ default: m.ReactionsSheet })));

/** The reactions to a message: pressing one adds your own or removes it, and a long press shows who reacted. */
export function ReactionBar({ message }: { message: Message }) {
  const { room, personId } = useRoomContext();
  const [isOpen, setOpen] = useState(false);
  if (message.reactions.length === 0) return null;
  return (
    <div className={classes.bar} role="group" aria-label={texts.messages.reactions}>
      {message.reactions.map((reaction) => (
        <ReactionButton
          key={reaction.emoji}
          reaction={reaction}
          onToggle={() => react(message, reaction.emoji, personId)}
          onLongPress={() => setOpen(true)}
        />
      ))}
      {isOpen && (
        <Suspense>
          <ReactionsSheet
            reactions={message.reactions}
            organizationId={room.organization_id}
            onClosed={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

interface Props {
  reaction: Message["reactions"][number];
  onToggle: () => void;
  onLongPress: () => void;
}

function ReactionButton({ reaction: { emoji, user_ids }, onToggle, onLongPress }: Props) {
  const { room, personId, canWrite } = useRoomContext();
  const longPress = useLongPress(onLongPress);
  return (
    <button
      type="button"
      className={classes.reaction}
      aria-pressed={user_ids.includes(personId)}
      disabled={!canWrite}
      onClick={onToggle}
      {...longPress}
    >
      <span aria-hidden>{useReactionEmoji(emoji)}</span>
      <span>{user_ids.length}</span>
      <ReactionNames organizationId={room.organization_id} emoji={emoji} userIds={user_ids} />
    </button>
  );
}

const MAX = 12;

interface ReactionNamesProps {
  organizationId: string;
  emoji: string;
  userIds: string[];
}

/** The people who reacted, shown on hover and focus and announced by screen readers. */
function ReactionNames({ organizationId, emoji, userIds }: ReactionNamesProps) {
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
