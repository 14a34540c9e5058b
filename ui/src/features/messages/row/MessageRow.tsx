import { memo, useRef } from "react";
import { useLongPress } from "@/kit/input/longPress";
import { clockTime, dayName, fullTime, timeOfDay } from "@/kit/text/times";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorButton } from "@/model/people/ActorButton";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { ReactionBar } from "../emoji/ReactionBar";
import { ReplySummary } from "../thread/ReplySummary";
import { MessageActions, type ActionsHandle } from "./MessageActions";
import { MessageBody } from "./MessageBody";
import classes from "./MessageRow.module.css";
import type { Row } from "./rows";

interface Props {
  row: Row;
  isMarked?: boolean;
}

/** A message in a list, with the separators above it. */
export const MessageRow = memo(function MessageRow({ row, isMarked }: Props) {
  const { message, startsDay, startsNew, isContinued } = row;
  const { room, editingId } = useRoomContext();
  const isEdited = editingId === message.message_id;
  const actions = useRef<ActionsHandle>(null);
  const above = [
    startsDay && dayName(message.sent_at, new Date()),
    row.replies !== undefined && texts.messages.replies(row.replies),
    startsNew && texts.unread.new,
  ].filter((each) => each !== false);
  const longPress = useLongPress(() => actions.current?.open());
  return (
    <div>
      {above.length > 0 && (
        <div className={classes.separator} data-new={startsNew || undefined}>
          {above.map((each) => (
            <span key={each}>{each}</span>
          ))}
        </div>
      )}
      <article
        id={`message-${message.message_id}`}
        className={classes.message}
        data-continued={isContinued || undefined}
        data-marked={isMarked || undefined}
        tabIndex={-1}
        {...longPress}
      >
        <div className={classes.side}>
          {isContinued ? (
            <time className={classes.smallTime} dateTime={message.sent_at} title={fullTime(message.sent_at)}>
              {clockTime(message.sent_at)}
            </time>
          ) : (
            <ActorButton
              organizationId={room.organization_id}
              actorId={message.user_id}
              className={classes.picture}
              isRepeated
            >
              <ActorAvatar organizationId={room.organization_id} actorId={message.user_id} />
            </ActorButton>
          )}
        </div>
        <div className={classes.main}>
          <div className={isContinued ? classes.hiddenHead : classes.head}>
            <Author
              isContinued={isContinued}
              organizationId={room.organization_id}
              actorId={message.user_id}
            />
            {message.sender_type === "integration" && (
              <span className={classes.badge}>{texts.people.integration}</span>
            )}
            <time className={classes.time} dateTime={message.sent_at} title={fullTime(message.sent_at)}>
              {timeOfDay(message.sent_at)}
            </time>
          </div>
          <MessageBody message={message} isEdited={isEdited} />
          <ReactionBar message={message} />
          <ReplySummary message={message} />
        </div>
        {message.status === "SENT" && !isEdited && <MessageActions ref={actions} message={message} />}
      </article>
    </div>
  );
});

interface AuthorProps {
  isContinued: boolean;
  organizationId: string;
  actorId: string;
}

/** The name of the sender. Below the same sender's message it is there for screen readers only. */
function Author({ isContinued, ...actor }: AuthorProps) {
  const name = <ActorName {...actor} />;
  if (isContinued) return <span>{name}</span>;
  return (
    <ActorButton {...actor} className={classes.author} isAuthor>
      {name}
    </ActorButton>
  );
}
