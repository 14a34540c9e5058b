import { Link } from "@tanstack/react-router";
import { use } from "react";
import { RoomContext } from "@/model/messages/roomContext";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import classes from "./Markdown.module.css";
import { isBoundary } from "./scripts";

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
  const all = spaces.flatMap(({ rooms }) => rooms);
  const named = (typed: string) => all.filter((each) => isSame(each.name, typed));
  const typed = beginningsOf(name).find((each) => named(each).length > 0) ?? name;
  const [room, ...others] = named(typed);
  if (!room || others.length > 0) return `#${name}`;
  return (
    <>
      <Link
        className={classes.mention}
        to="/o/$organizationId/rooms/$roomId"
        params={{ organizationId, roomId: room.room_id }}
      >
        #{room.name}
      </Link>
      {name.slice(typed.length)}
    </>
  );
}

const isSame = (a: string, b: string): boolean => a.toLocaleLowerCase() === b.toLocaleLowerCase();

/** Return the beginnings of a text that can be a name, the longest first: in scripts without spaces, text may follow. */
export function beginningsOf(text: string): string[] {
  const ends = [...text].map((_, index, all) => all.slice(0, all.length - index).join(""));
  return ends.filter((each) => each === text || isBoundary(each, text.slice(each.length)));
}
