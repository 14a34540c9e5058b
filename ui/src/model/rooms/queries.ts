import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { queryClient } from "@/api/queryClient";
import { unwrap } from "@/api/errors";
import { roomKey, roomsKey } from "@/model/queryKeys";
import { useSpaces, type Space } from "@/model/spaces/queries";

export type Room = Schemas["Room"];

export const roomsOf = (spaceId: string) =>
  queryOptions({
    queryKey: roomsKey(spaceId),
    queryFn: async () => {
      const rooms = await allPages(
        (cursor) =>
          unwrap(
            api.GET("/v2/spaces/{space_id}/rooms", {
              params: { path: { space_id: spaceId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.rooms,
      );
      for (const room of rooms) queryClient.setQueryData(roomKey(room.room_id), room);
      return rooms;
    },
  });

export const roomOf = (roomId: string) =>
  queryOptions({
    queryKey: roomKey(roomId),
    queryFn: () => unwrap(api.GET("/v2/rooms/{room_id}", { params: { path: { room_id: roomId } } })),
  });

export const useRoom = (roomId: string) => useQuery(roomOf(roomId));

export interface SpaceWithRooms {
  space: Space;
  rooms: Room[];
}

/** Return the spaces of an organization with those of their rooms that are loaded, and whether some still load. */
export function useSpacesWithRooms(organizationId: string): { spaces: SpaceWithRooms[]; isLoading: boolean } {
  const { data: spaces, isLoading: areSpacesLoading } = useSpaces(organizationId);
  const { rooms, areRoomsLoading } = useQueries({
    queries: (spaces ?? []).map((each) => roomsOf(each.space_id)),
    combine: roomsOfAll,
  });
  return useMemo(
    () => ({
      spaces: (spaces ?? []).map((space, index) => ({ space, rooms: rooms[index] ?? [] })),
      isLoading: areSpacesLoading || areRoomsLoading,
    }),
    [spaces, rooms, areSpacesLoading, areRoomsLoading],
  );
}

const roomsOfAll = (results: { data: Room[] | undefined; isLoading: boolean }[]) => ({
  rooms: results.map((each) => each.data),
  areRoomsLoading: results.some((each) => each.isLoading),
});
