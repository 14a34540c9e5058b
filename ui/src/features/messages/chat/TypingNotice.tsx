import { useStore } from "@/kit/data/store";
import { typing } from "@/model/messages/typing";
import { ActorName } from "@/model/people/ActorName";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import classes from "./ChatView.module.css";

interface Props {
  room: Room;
  personId: string;
}

/** Shows who is typing in the room. */
export function TypingNotice({ room, personId }: Props) {
  const who = Object.keys(useStore(typing)[room.room_id] ?? {}).filter((each) => each !== personId);
  return (
    <p className={classes.notice} aria-live="off">
      {who.length > 2 && texts.live.manyType}
      {who.length > 0 && who.length <= 2 && (
        <>
          {who.map((id, index) => (
            <span key={id}>
              {index > 0 && ` ${texts.live.and} `}
              <b>
                <ActorName organizationId={room.organization_id} actorId={id} />
              </b>
            </span>
          ))}{" "}
          {texts.live.typing(who.length)}
        </>
      )}
    </p>
  );
}
