import { use } from "react";
import { useStore } from "@/kit/data/store";
import { shortDate } from "@/kit/text/times";
import { timelineOf } from "@/model/messages/timelines";
import { EmptyRoomContext } from "@/model/rooms/emptyRoom";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import { texts } from "@/texts";
import classes from "./ChatView.module.css";

/** The beginning of a room, above its first message. */
export function RoomStart({ room }: { room: Room }) {
  const isEmpty = useStore(timelineOf(room).timeline).messages.length === 0;
  const showEmpty = use(EmptyRoomContext);
  return (
    <div className={classes.start}>
      <span className={classes.icon}>
        <RoomIcon type={room.room_type} size={22} />
      </span>
      <h2>
        <bdi>{room.name}</bdi>
      </h2>
      <p>{texts.rooms.beginning(shortDate(room.created_at))}</p>
      {isEmpty && <div className={classes.more}>{showEmpty(room)}</div>}
    </div>
  );
}
