import { Link } from "@tanstack/react-router";
import { formatRelative, fullTime } from "@/kit/text/times";
import type { Message } from "@/model/messages/history";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { search } from "@/texts/search";
import classes from "./MentionLink.module.css";
import { Excerpt } from "./ThreadCard";

interface Props {
  organizationId: string;
  message: Message;
  room: Room | undefined;
  isUnread: boolean;
}

/** A message that mentions the reader, as a link to it. */
export function MentionLink({ organizationId, message, room, isUnread }: Props) {
  return (
    <Link
      to="/o/$organizationId/rooms/$roomId"
      params={{ organizationId, roomId: message.room_id }}
      search={{ message: message.message_id, thread: message.thread_root_id ?? undefined }}
      className={classes.mention}
      data-unread={isUnread || undefined}
    >
      <ActorAvatar organizationId={organizationId} actorId={message.user_id} />
      <span className={classes.main}>
        <span className={classes.head}>
          <b>
            <ActorName organizationId={organizationId} actorId={message.user_id} />
          </b>
          <span>
            {search.inRoom} <bdi>{room?.name}</bdi>
            {message.thread_root_id && ` · ${texts.messages.thread}`}
          </span>
          <time dateTime={message.sent_at} title={fullTime(message.sent_at)}>
            {formatRelative(message.sent_at, new Date())}
          </time>
          {isUnread && <span className={classes.new}>{texts.unread.new}</span>}
        </span>
        <Excerpt organizationId={organizationId} message={message} lines={4} />
      </span>
    </Link>
  );
}
