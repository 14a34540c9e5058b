import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { mentionsKey, threadsKey } from "@/model/queryKeys";
import { useSpacesWithRooms, type Room } from "@/model/rooms/queries";

export type FollowedThread = Schemas["FollowedThread"];
export type Mention = Schemas["Mention"];

const LIMIT = 25;

/** Return a page of the threads that the reader takes part in: unread ones first, then by newest reply. */
export const readThreads = (organizationId: string, cursor: string | undefined) =>
  unwrap(
    api.GET("/v2/organizations/{organization_id}/threads", {
      params: { path: { organization_id: organizationId }, query: { limit: LIMIT, cursor } },
    }),
  );

export const threads = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: threadsKey(organizationId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readThreads(organizationId, pageParam),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** Return the messages that mention the reader, newest first. */
export const mentions = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: mentionsKey(organizationId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v2/organizations/{organization_id}/mentions", {
          params: { path: { organization_id: organizationId }, query: { limit: LIMIT, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** Return the rooms in the sidebar, by id. */
export function useRoomNames(organizationId: string): Map<string, Room> {
  const { spaces } = useSpacesWithRooms(organizationId);
  return new Map(spaces.flatMap(({ rooms }) => rooms.map((room) => [room.room_id, room])));
}
