import { useInfiniteQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { threadIn } from "@/model/unread/counts";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { InboxList } from "./InboxList";
import { threads, useRoomNames, type FollowedThread } from "./queries";
import { ThreadCard } from "./ThreadCard";

interface Props {
  organizationId: string;
  isUnreadOnly: boolean;
  /** The open thread, which stays in the list when it is read. */
  open: { room?: string | undefined; thread?: string | undefined };
}

/** The threads that the reader takes part in, or those of them with unread replies. */
export function ThreadList({ organizationId, isUnreadOnly, open }: Props) {
  const found = useInfiniteQuery(threads(organizationId));
  const rooms = useRoomNames(organizationId);
  const { data: unread } = useUnread(organizationId);
  const isOpen = ({ room_id, root }: FollowedThread) =>
    room_id === open.room && root.message_id === open.thread;
  return (
    <InboxList
      of={found}
      label={texts.inbox.threads}
      empty={
        <EmptyState
          icon={<MessagesSquare size={28} aria-hidden />}
          title={isUnreadOnly ? texts.inbox.noUnreadThreads : texts.inbox.noThreads}
        >
          {isUnreadOnly ? texts.inbox.noUnreadThreadsHint : texts.inbox.noThreadsHint}
        </EmptyState>
      }
    >
      {(pages) =>
        pages
          .flatMap((page) => page.threads)
          .map((thread) => ({ thread, unread: threadIn(unread, thread.room_id, thread.root.message_id) }))
          .filter(({ thread, unread: replies }) => !isUnreadOnly || replies || isOpen(thread))
          .map(({ thread, unread: replies }) => (
            <li key={`${thread.room_id} ${thread.root.message_id}`}>
              <ThreadCard
                organizationId={organizationId}
                thread={thread}
                room={rooms.get(thread.room_id)}
                unread={replies}
              />
            </li>
          ))
      }
    </InboxList>
  );
}
