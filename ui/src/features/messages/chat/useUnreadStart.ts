import { useEffect, useState } from "react";
import { queryClient } from "@/api/queryClient";
import { useStore } from "@/kit/data/store";
import type { TimelineStore } from "@/model/messages/timelineStore";
import { oneMessage } from "./useTimeline";

/**
 * Load the part of the history that has the first unread message. Return whether the list can be shown: it starts there,
 * so it waits until it is known what is unread.
 */
export function useUnreadStart(store: TimelineStore, firstUnread: string | null | undefined): boolean {
  const { messages, older } = useStore(store.timeline);
  const [hasFailed, setFailed] = useState(false);
  const oldest = messages[0];
  const isBefore = firstUnread && oldest !== undefined && older !== null && firstUnread < oldest.message_id;
  const missing = isBefore ? firstUnread : null;
  useEffect(() => {
    if (!missing) return;
    queryClient
      .fetchQuery(oneMessage(store.roomId, missing))
      .then((message) => store.openAt(message))
      .catch(() => setFailed(true)); // the newest messages are shown instead
  }, [store, missing]);
  return firstUnread !== undefined && (missing === null || hasFailed);
}
