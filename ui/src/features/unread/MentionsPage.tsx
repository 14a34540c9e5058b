import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { AtSign } from "lucide-react";
import { useEffect } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { PageHeader } from "@/kit/layout/PageHeader";
import { setTitle } from "@/kit/layout/title";
import { isUnread } from "@/model/unread/counts";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { InboxList } from "./InboxList";
import { MentionLink } from "./MentionLink";
import classes from "./MentionsPage.module.css";
import { mentions, useRoomNames } from "./queries";

/** The messages that mention the reader, newest first. */
export function MentionsPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId/mentions" });
  const found = useInfiniteQuery(mentions(organizationId));
  const rooms = useRoomNames(organizationId);
  const { data: unread } = useUnread(organizationId);
  useEffect(() => setTitle(texts.inbox.mentions), []);
  return (
    <main className={classes.page}>
      <PageHeader icon={<AtSign size={17} aria-hidden />} title={texts.inbox.mentions} />
      <InboxList
        found={found}
        label={texts.inbox.mentions}
        empty={
          <EmptyState icon={<AtSign size={28} aria-hidden />} title={texts.inbox.noMentions}>
            {texts.inbox.noMentionsMore}
          </EmptyState>
        }
      >
        {found.data?.pages.flatMap((page) =>
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
        )}
      </InboxList>
    </main>
  );
}
