import { Link } from "@tanstack/react-router";
import { Dialog } from "@/kit/overlay/Dialog";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { Space } from "@/model/spaces/queries";
import { spacePeople } from "@/texts/rooms";
import classes from "./SpaceDialogs.module.css";

interface Props {
  space: Space;
  rooms: Room[];
  onChosen: () => void;
  onClose: () => void;
}

/** The archived rooms of a space, which the sidebar leaves out. */
export function ArchivedRoomsDialog({ space, rooms, onChosen, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title={spacePeople.archivedTitle(space.name)} centered>
      <ul className={classes.rooms}>
        {rooms.map((room) => (
          <li key={room.room_id}>
            <Link
              to="/o/$organizationId/rooms/$roomId"
              params={{ organizationId: room.organization_id, roomId: room.room_id }}
              onClick={() => {
                onClose();
                onChosen();
              }}
            >
              <RoomIcon type={room.room_type} />
              <bdi>{room.name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
