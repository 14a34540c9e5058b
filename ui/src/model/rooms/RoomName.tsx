import type { Room } from "./queries";
import { RoomIcon } from "./RoomIcon";
import classes from "./RoomName.module.css";

/** The icon and the name of a room, next to the title of what belongs to it. */
export function RoomName({ room }: { room: Room }) {
  return (
    <span className={classes.room}>
      <RoomIcon type={room.room_type} size={14} />
      <bdi>{room.name}</bdi>
    </span>
  );
}
