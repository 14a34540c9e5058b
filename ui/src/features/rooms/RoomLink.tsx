import { Link } from "@tanstack/react-router";
import { CountBadge } from "@/kit/CountBadge";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { UnreadRoom } from "@/model/unread/counting";
import { texts } from "@/texts";
import classes from "./RoomLink.module.css";

interface Props {
  room: Room;
  unread: UnreadRoom | undefined;
  onChosen: () => void;
}

export function RoomLink({ room, unread, onChosen }: Props) {
  return (
    <Link
      to="/o/$organizationId/rooms/$roomId"
      params={{ organizationId: room.organization_id, roomId: room.room_id }}
      className={classes.link}
      activeProps={{ "data-active": true, "aria-current": "page" }}
      activeOptions={{ includeSearch: false }}
      data-unread={unread ? true : undefined}
      onClick={onChosen}
    >
      <RoomIcon type={room.room_type} />
      <bdi className={classes.name}>{room.name}</bdi>
      {unread && (
        <CountBadge
          count={unread.unread_count}
          isCapped={unread.capped}
          isStrong={unread.mention_count > 0}
          label={texts.unread.count(unread.unread_count, unread.mention_count)}
        />
      )}
    </Link>
  );
}
