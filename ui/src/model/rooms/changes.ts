import { api, type Schemas } from "@/api/client";
import { ApiError, unwrap } from "@/api/errors";
import { queryClient } from "@/api/queryClient";
import { roomKey, roomsKey } from "@/model/queryKeys";
import type { Room } from "./queries";

const at = (room: Room) => ({ params: { path: { room_id: room.room_id } } });

/** Change a room's name or description, archive or restore it. */
export async function updateRoom(room: Room, body: Schemas["RoomUpdate"]): Promise<void> {
  const updated = await unwrap(api.PATCH("/v2/rooms/{room_id}", { ...at(room), body }));
  queryClient.setQueryData(roomKey(room.room_id), updated);
  await queryClient.invalidateQueries({ queryKey: roomsKey(room.space_id) });
}

export async function deleteRoom(room: Room): Promise<void> {
  await unwrap(api.DELETE("/v2/rooms/{room_id}", at(room)));
  await queryClient.invalidateQueries({ queryKey: roomsKey(room.space_id) });
}

/** Return whether a request failed because the space has a room with this name. */
export const isNameTaken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "room_name_taken";
