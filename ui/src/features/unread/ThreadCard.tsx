import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Check, Reply } from "lucide-react";
import { CountBadge } from "@/kit/layout/CountBadge";
import { formatRelative, fullTime } from "@/kit/text/times";
import { Preview } from "@/model/markdown/Preview";
import type { Message } from "@/model/messages/history";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { UnreadThread } from "@/model/unread/counts";
import { texts } from "@/texts";
import { markThreadRead } from "./markThreads";
import type { FollowedThread } from "./queries";
import classes from "./ThreadCard.module.css";

interface Props {
  organizationId: string;
  thread: FollowedThread;
  room: Room | undefined;
  unread: UnreadThread | undefined;
}

/** A thread with its newest replies. A click anywhere opens it, but on what marks it as read. */
export function ThreadCard({ organizationId, thread, room, unread }: Props) {
  const { root, replies } = thread;
  const hidden = root.reply_count - replies.length;
  return (
    <article className={classes.card} data-unread={unread ? true : undefined}>
      <div className={classes.head}>
        <RoomIcon type={room?.room_type ?? "chat"} size={14} />
        <bdi className={classes.room}>{room?.name}</bdi>
        {unread && (
          <CountBadge
            count={unread.unread_count}
            isCapped={unread.capped}
            isStrong
            label={texts.unread.replies(unread.unread_count)}
          />
        )}
        <span className={classes.tools}>
          {unread && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              c="dimmed"
              leftSection={<Check size={15} aria-hidden />}
              onClick={() => void markThreadRead(organizationId, thread)}
            >
              {texts.unread.markRead}
            </Button>
          )}
          <Link
            to="/o/$organizationId/threads"
            params={{ organizationId }}
            search={{ room: thread.room_id, thread: root.message_id }}
            className={classes.open}
            activeProps={{ "data-active": true, "aria-current": "true" }}
          >
            <Reply size={15} aria-hidden />
            {texts.inbox.reply}
          </Link>
        </span>
      </div>
      <Entry organizationId={organizationId} message={root} lines={2} size={32} />
      <div className={classes.replies}>
        {hidden > 0 && <span className={classes.hidden}>{texts.inbox.earlier(hidden)}</span>}
        {replies.map((reply) => (
          <Entry key={reply.message_id} organizationId={organizationId} message={reply} lines={2} size={22} />
        ))}
      </div>
    </article>
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
        <span className={classes.by}>
          <b>
            <ActorName organizationId={organizationId} actorId={message.user_id} />
          </b>
          <time dateTime={message.sent_at} title={fullTime(message.sent_at)}>
            {formatRelative(message.sent_at, new Date())}
          </time>
        </span>
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
