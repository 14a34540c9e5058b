import { Link } from "@tanstack/react-router";
import { texts } from "@/texts";
import type { Room } from "./queries";
import classes from "./RoomTabs.module.css";

export type RoomView = "messages" | "recordings" | "page";

const EXACT = { exact: true, includeSearch: true };
const NAMES = { messages: texts.rooms.messages, recordings: texts.rooms.recordings, page: texts.rooms.page };

interface Props {
  room: Room;
  view: RoomView;
}

/** A room's sides: its recordings, what is said in it, and its page. */
export function RoomTabs({ room, view }: Props) {
  const first: RoomView = room.room_type === "video" ? "recordings" : "messages";
  const sides: RoomView[] =
    first === "recordings" ? ["recordings", "messages", "page"] : ["messages", "page"];
  return (
    <nav className={classes.tabs} aria-label={texts.rooms.sides}>
      {sides.map((each) => (
        <Link
          key={each}
          from="/o/$organizationId/rooms/$roomId"
          to="."
          search={each === first ? {} : { view: each }}
          activeOptions={EXACT}
          data-active={each === view || undefined}
        >
          {NAMES[each]}
        </Link>
      ))}
    </nav>
  );
}
