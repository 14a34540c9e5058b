import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams, Link } from "@tanstack/react-router";
import { AtSign } from "lucide-react";
import { useEffect } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { Page } from "@/kit/layout/Page";
import { setTitle } from "@/kit/layout/title";
import { formatRelative, fullTime } from "@/kit/text/times";
import type { Message } from "@/model/messages/history";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import type { Room } from "@/model/rooms/queries";
import { isUnread } from "@/model/unread/counts";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { search } from "@/texts/search";
import { InboxList } from "./InboxList";
import classes from "./MentionsPage.module.css";
import { mentions, useRoomNames } from "./queries";
import { Excerpt } from "./ThreadCard";

/** The messages that mention the reader, newest first. */
export function MentionsPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId/mentions" });
  const found = useInfiniteQuery(mentions(organizationId));
  const rooms = useRoomNames(organizationId);
  const { data: unread } = useUnread(organizationId);
  useEffect(() => setTitle(texts.inbox.mentions), []);
  return (
    <Page icon={<AtSign size={17} aria-hidden />} title={texts.inbox.mentions}>
      <InboxList
        of={found}
        label={texts.inbox.mentions}
        empty={
          <EmptyState icon={<AtSign size={28} aria-hidden />} title={texts.inbox.noMentions}>
            {texts.inbox.noMentionsHint}
          </EmptyState>
        }
      >
        {(pages) =>
          pages.flatMap((page) =>
            page.mentions.map(({ message }) => (
              <li key={`${message.room_id} ${message.message_id}`}>
                <MentionLink
                  organizationId={organizationId}
                  message={message}
                  room={rooms.get(message.room_id)}
                  isUnread={isUnread(unread, message)}
                />
              </li>
            )),
          )
        }
      </InboxList>
    </Page>
  );
}

interface Props {
  organizationId: string;
  message: Message;
  room: Room | undefined;
  isUnread: boolean;
}

/** A message that mentions the reader, as a link to it. */
function MentionLink({ organizationId, message, room, isUnread }: Props) {
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
