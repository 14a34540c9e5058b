import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/notices";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { texts } from "@/texts";
import { toggleReaction } from "../row/changes";
import { useReactionEmoji } from "@/model/emoji/emoji";
import classes from "./ReactionBar.module.css";
import { ReactionNames } from "./ReactionNames";

/** The reactions to a message; pressing one adds your own or removes it. */
export function ReactionBar({ message }: { message: Message }) {
  const { room, personId, canWrite } = useRoomContext();
  if (message.reactions.length === 0) return null;
  const toggle = (emoji: string) => {
    toggleReaction(message, emoji, personId).catch((error: unknown) =>
      showNotice(messageOf(error), { isError: true }),
    );
  };
  return (
    <div className={classes.bar} role="group" aria-label={texts.messages.reactions}>
      {message.reactions.map(({ emoji, user_ids }) => (
        <button
          key={emoji}
          type="button"
          className={classes.reaction}
          aria-pressed={user_ids.includes(personId)}
          disabled={!canWrite}
          onClick={() => toggle(emoji)}
        >
          <ReactionEmoji emoji={emoji} />
          <span>{user_ids.length}</span>
          <ReactionNames organizationId={room.organization_id} emoji={emoji} userIds={user_ids} />
        </button>
      ))}
    </div>
  );
}

function ReactionEmoji({ emoji }: { emoji: string }) {
  return <span aria-hidden>{useReactionEmoji(emoji)}</span>;
}
