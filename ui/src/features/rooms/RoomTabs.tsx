import { Link } from "@tanstack/react-router";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import classes from "./RoomTabs.module.css";

export type RoomView = "messages" | "recordings" | "page" | "incoming";

const EXACT = { exact: true, includeSearch: true };

interface Props {
  room: Room;
  view: RoomView;
}

/** The views of a room: recordings, messages and page. Its menu leads to the incoming webhooks. */
export function RoomTabs({ room, view }: Props) {
  const sides = room.room_type === "video" ? VIDEO_VIEWS : VIEWS;
  const names = {
    messages: room.room_type === "post" ? texts.rooms.posts : texts.rooms.messages,
    recordings: texts.rooms.recordings,
    page: texts.rooms.page,
  };
  return (
    <nav className={classes.tabs} aria-label={texts.rooms.views}>
      {sides.map((each) => (
        <Link
          key={each}
          from="/o/$organizationId/rooms/$roomId"
          to="."
          search={each === sides[0] ? {} : { view: each }}
          activeOptions={EXACT}
          data-active={each === view || undefined}
        >
          {names[each]}
        </Link>
      ))}
    </nav>
  );
}

const VIEWS = ["messages", "page"] as const;
const VIDEO_VIEWS = ["recordings", ...VIEWS] as const;
