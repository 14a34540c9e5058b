import { Link } from "@tanstack/react-router";
import { CountBadge } from "@/kit/CountBadge";
import { formatRelative, fullTime } from "@/kit/times";
import { Preview } from "@/model/markdown/Preview";
import type { Message } from "@/model/messages/history";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { UnreadThread } from "@/model/unread/counts";
import { texts } from "@/texts";
import type { FollowedThread } from "./queries";
import classes from "./ThreadCard.module.css";

interface Props {
  organizationId: string;
  thread: FollowedThread;
  room: Room | undefined;
  unread: UnreadThread | undefined;
}

/** A thread with its newest replies, as a link that opens it. */
export function ThreadCard({ organizationId, thread, room, unread }: Props) {
  const { root, replies } = thread;
  const hidden = root.reply_count - replies.length;
  return (
    <Link
      to="/o/$organizationId/threads"
      params={{ organizationId }}
      search={{ room: thread.room_id, thread: root.message_id }}
      className={classes.card}
      activeProps={{ "data-active": true, "aria-current": "true" }}
      data-unread={unread ? true : undefined}
    >
      <span className={classes.head}>
        <RoomIcon type={room?.room_type ?? "chat"} size={14} />
        <bdi className={classes.room}>{room?.name}</bdi>
        <time dateTime={thread.last_reply_at} title={fullTime(thread.last_reply_at)}>
          {formatRelative(thread.last_reply_at, new Date())}
        </time>
        {unread && (
          <CountBadge
            count={unread.unread_count}
            isCapped={unread.capped}
            isStrong
            label={texts.unread.replies(unread.unread_count)}
          />
        )}
      </span>
      <Entry organizationId={organizationId} message={root} lines={3} size={32} />
      <span className={classes.replies}>
        {hidden > 0 && <span className={classes.hidden}>{texts.inbox.earlier(hidden)}</span>}
        {replies.map((reply) => (
          <Entry key={reply.message_id} organizationId={organizationId} message={reply} lines={2} size={22} />
        ))}
      </span>
    </Link>
  );
}

interface EntryProps {
  organizationId: string;
  message: Message;
  lines: number;
  size: number;
}

function Entry({ organizationId, message, lines, size }: EntryProps) {
  return (
    <span className={classes.entry}>
      <ActorAvatar organizationId={organizationId} actorId={message.user_id} size={size} />
      <span className={classes.main}>
        <b>
          <ActorName organizationId={organizationId} actorId={message.user_id} />
        </b>
        <Excerpt organizationId={organizationId} message={message} lines={lines} />
      </span>
    </span>
  );
}

/** The beginning of a message, or what it is without a text. */
export function Excerpt({ organizationId, message, lines }: Omit<EntryProps, "size">) {
  if (message.status === "DELETED") return <i>{texts.messages.deleted}</i>;
  const named = message.attachments.map((each) => each.name).join(", ");
  return <Preview text={message.text || named} organizationId={organizationId} lines={lines} />;
}
