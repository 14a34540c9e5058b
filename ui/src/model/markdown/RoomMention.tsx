import { Link } from "@tanstack/react-router";
import { use } from "react";
import { RoomContext } from "@/model/messages/roomContext";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import classes from "./Markdown.module.css";

interface Props {
  organizationId: string;
  name: string;
}

/** The name of a room in a text: a link, if the reader sees exactly one room of that name. */
export function RoomMention({ organizationId, name }: Props) {
  const isInRoom = use(RoomContext) !== null; // elsewhere, as in search results, messages are inside links
  return isInRoom ? <RoomLink organizationId={organizationId} name={name} /> : `#${name}`;
}

function RoomLink({ organizationId, name }: Props) {
  const { spaces } = useSpacesWithRooms(organizationId);
  const isNamed = (each: string) => each.toLocaleLowerCase() === name.toLocaleLowerCase();
  const [room, ...others] = spaces.flatMap(({ rooms }) => rooms.filter((each) => isNamed(each.name)));
  if (!room || others.length > 0) return `#${name}`;
  return (
    <Link
      className={classes.mention}
      to="/o/$organizationId/rooms/$roomId"
      params={{ organizationId, roomId: room.room_id }}
    >
      #{room.name}
    </Link>
  );
}
