import { useQuery } from "@tanstack/react-query";
import { readThread } from "@/model/messages/readThread";
import { withReceived } from "@/model/messages/timelines";
import { threadKey } from "@/model/queryKeys";

/** Return all replies of a thread, oldest first. */
export function useThread(roomId: string, rootId: string) {
  return useQuery({
    queryKey: threadKey(roomId, rootId),
    queryFn: () => withReceived(rootId, () => readThread(roomId, rootId)),
  });
}
