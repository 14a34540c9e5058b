import { readAll } from "@/model/unread/markRead";
import { readThreads, type FollowedThread } from "./queries";

/** Mark a thread as read up to the newest reply that its card shows. */
export async function markThreadRead(organizationId: string, thread: FollowedThread): Promise<void> {
  const { room_id: roomId, root, replies } = thread;
  const newest = replies.at(-1);
  if (newest) await readAll({ organizationId, roomId, rootId: root.message_id }, newest.message_id);
}

/** Mark all threads as read. Those with unread replies are the first of the list. */
export async function markAllThreadsRead(organizationId: string): Promise<void> {
  const unread: FollowedThread[] = [];
  let cursor: string | undefined;
  do {
    const page = await readThreads(organizationId, cursor);
    unread.push(...page.threads.filter((each) => each.unread_count > 0));
    cursor = page.threads.at(-1)?.unread_count ? (page.next_cursor ?? undefined) : undefined;
  } while (cursor);
  for (const thread of unread) await markThreadRead(organizationId, thread);
}
