import { useInfiniteQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { EmptyState } from "@/kit/EmptyState";
import { threadIn } from "@/model/unread/counts";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { InboxList } from "./InboxList";
import { threads, useRoomNames } from "./queries";
import { ThreadCard } from "./ThreadCard";

/** The threads that the reader takes part in. */
export function ThreadList({ organizationId }: { organizationId: string }) {
  const found = useInfiniteQuery(threads(organizationId));
  const rooms = useRoomNames(organizationId);
  const { data: unread } = useUnread(organizationId);
  return (
    <InboxList
      found={found}
      label={texts.inbox.threads}
      empty={
        <EmptyState icon={<MessagesSquare size={28} aria-hidden />} title={texts.inbox.noThreads}>
          {texts.inbox.noThreadsMore}
        </EmptyState>
      }
    >
      {found.data?.pages.flatMap((page) =>
        page.threads.map((thread) => (
          <li key={`${thread.room_id} ${thread.root.message_id}`}>
            <ThreadCard
              organizationId={organizationId}
              thread={thread}
              room={rooms.get(thread.room_id)}
              unread={threadIn(unread, thread.room_id, thread.root.message_id)}
            />
          </li>
        )),
      )}
    </InboxList>
  );
}
