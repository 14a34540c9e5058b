import { useState } from "react";
import { FirstSteps } from "@/features/administration/firstSteps/FirstSteps";
import { NewRoomDialog } from "@/features/rooms/NewRoomDialog";
import { useSpaces } from "@/model/spaces/queries";
import type { Room } from "@/model/rooms/queries";

/** The first steps of a new organization, in a room without messages. New rooms are created in its space. */
export function RoomFirstSteps({ room }: { room: Room }) {
  const [isCreating, setCreating] = useState(false);
  const { data: spaces } = useSpaces(room.organization_id);
  const space = spaces?.find((each) => each.space_id === room.space_id);
  return (
    <>
      <FirstSteps onNewRoom={space && (() => setCreating(true))} />
      {space && isCreating && <NewRoomDialog space={space} onClose={() => setCreating(false)} />}
    </>
  );
}
