import { Link } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import classes from "./RoomTabs.module.css";

export type RoomView = "messages" | "recordings" | "page" | "incoming";

const EXACT = { exact: true, includeSearch: true };
const NAMES = {
  messages: texts.rooms.messages,
  recordings: texts.rooms.recordings,
  page: texts.rooms.page,
  incoming: <Webhook size={15} aria-hidden />,
};

const NAMED = { title: texts.rooms.incoming, "aria-label": texts.rooms.incoming };

interface Props {
  room: Room;
  view: RoomView;
}

/** The views of a room: recordings, messages, page and, for space admins, incoming webhooks. */
export function RoomTabs({ room, view }: Props) {
  const { canModerate } = useRoomContext();
  const first: RoomView = room.room_type === "video" ? "recordings" : "messages";
  const sides: RoomView[] =
    first === "recordings" ? ["recordings", "messages", "page"] : ["messages", "page"];
  if (canModerate) sides.push("incoming");
  return (
    <nav className={classes.tabs} aria-label={texts.rooms.views}>
      {sides.map((each) => (
        <Link
          key={each}
          from="/o/$organizationId/rooms/$roomId"
          to="."
          search={each === first ? {} : { view: each }}
          activeOptions={EXACT}
          data-active={each === view || undefined}
          {...(each === "incoming" && NAMED)}
        >
          {NAMES[each]}
        </Link>
      ))}
    </nav>
  );
}
