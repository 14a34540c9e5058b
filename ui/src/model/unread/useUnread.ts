import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { unreadKey } from "@/model/queryKeys";
import { threadIn, type Unread, type UnreadThread } from "./counts";

export const unreadOf = (organizationId: string) =>
  queryOptions({ queryKey: unreadKey(organizationId), queryFn: () => readUnread(organizationId) });

/** Return the rooms and threads with unread messages. */
export function useUnread(organizationId: string) {
  return useQuery(unreadOf(organizationId));
}

/** Return the unread state of a thread; undefined if nothing in it is unread. */
export function useUnreadThread(
  organizationId: string,
  roomId: string,
  rootId: string,
): UnreadThread | undefined {
  return useQuery({ ...unreadOf(organizationId), select: (data) => threadIn(data, roomId, rootId) }).data;
}

async function readUnread(organizationId: string): Promise<Unread> {
  const found: Unread = { rooms: [], threads: [] };
  let cursor: string | undefined;
  do {
    const page: Schemas["UnreadRoomList"] = await unwrap(
      api.GET("/v2/organizations/{organization_id}/unread", {
        params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
      }),
    );
    found.rooms.push(...page.rooms);
    found.threads.push(...page.threads);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return found;
}
