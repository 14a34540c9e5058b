import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useRef, useState } from "react";
import { CountBadge } from "@/kit/layout/CountBadge";
import { MentionBadge } from "@/model/unread/MentionBadge";
import { OpenerContext } from "@/kit/overlay/Opener";
import side from "@/kit/layout/SideLink.module.css";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { UnreadRoom } from "@/model/unread/counts";
import { texts } from "@/texts";
import classes from "./SpaceSection.module.css";

// Loaded when a room's menu is opened for the first time.
const RoomMenu = lazy(() => import("./RoomMenu").then((m) => ({ default: m.RoomMenu })));

interface Props {
  room: Room;
  canManage: boolean;
  unread: UnreadRoom | undefined;
  onChosen: () => void;
}

export function RoomLink({ room, canManage, unread, onChosen }: Props) {
  const [menu, setMenu] = useState<"unused" | "open" | "closed">("unused");
  const place = useRef<HTMLSpanElement>(null);
  const onChange = (isOpen: boolean) => setMenu(isOpen ? "open" : "closed");
  const link = (
    <Link
      to="/o/$organizationId/rooms/$roomId"
      params={{ organizationId: room.organization_id, roomId: room.room_id }}
      className={side.link}
      activeProps={{ "data-active": true, "aria-current": "page" }}
      activeOptions={{ includeSearch: false }}
      data-unread={unread ? true : undefined}
      onClick={onChosen}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenu("open");
      }}
    >
      <RoomIcon type={room.room_type} />
      <bdi className={side.name}>{room.name}</bdi>
      {unread && (
        <>
          <MentionBadge count={unread.mention_count} />
          <CountBadge
            count={unread.unread_count}
            isCapped={unread.capped}
            label={texts.unread.count(unread.unread_count, unread.mention_count)}
          />
        </>
      )}
    </Link>
  );
  if (menu === "unused") return link;
  return (
    <>
      {link}
      <span ref={place} className={classes.menuPlace} />
      <Suspense>
        <OpenerContext value={{ button: place, isOpen: menu === "open", onChange }}>
          <RoomMenu room={room} canManage={canManage} />
        </OpenerContext>
      </Suspense>
    </>
  );
}
