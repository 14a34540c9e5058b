import { ActionIcon } from "@mantine/core";
import { ChevronRight, Ellipsis, Lock, Plus } from "lucide-react";
import { lazy, useState, Suspense } from "react";
import { readStorage, writeStorage } from "@/kit/data/storage";
import { Opener } from "@/kit/overlay/Opener";
import { closedName } from "@/model/rooms/order";
import type { Room } from "@/model/rooms/queries";
import type { Space } from "@/model/spaces/queries";
import type { UnreadRoom } from "@/model/unread/counts";
import { texts } from "@/texts";
import { spacePeople } from "@/texts/rooms";
import { RoomLink } from "./RoomLink";
import classes from "./SpaceSection.module.css";

const loadMenu = () => import("./SpaceMenu");
const SpaceMenu = lazy(() => loadMenu().then((m) => ({ default: m.SpaceMenu })));

interface Props {
  space: Space;
  rooms: Room[];
  unread: UnreadRoom[];
  onChosen: () => void;
}

/** A space with its rooms; collapsed, it shows only rooms with unread messages. */
export function SpaceSection({ space, rooms, unread, onChosen }: Props) {
  const name = closedName(space.space_id);
  const [isClosed, setClosed] = useState(() => readStorage(name) !== "");
  const shown = rooms
    .filter((each) => each.archived_at === null)
    .filter((each) => !isClosed || unread.some((one) => one.room_id === each.room_id));
  const toggle = () => {
    writeStorage(name, isClosed ? "" : "1");
    setClosed(!isClosed);
  };
  return (
    <section className={classes.section} aria-label={space.name}>
      <div className={classes.head}>
        <button type="button" className={classes.toggle} aria-expanded={!isClosed} onClick={toggle}>
          <ChevronRight size={14} aria-hidden className={classes.arrow} />
          <bdi className={classes.name}>{space.name}</bdi>
          {space.visibility === "private" && <Lock size={12} aria-label={texts.spaces.private} />}
        </button>
        <Opener
          opens="menu"
          load={loadMenu}
          button={
            <ActionIcon variant="subtle" color="gray" size={24} aria-label={spacePeople.menu(space.name)}>
              <Ellipsis size={15} />
            </ActionIcon>
          }
        >
          <SpaceMenu space={space} rooms={rooms} onChosen={onChosen} />
        </Opener>
        {space.role === "admin" && <NewRoomButton space={space} />}
      </div>
      <ul className={classes.rooms}>
        {shown.map((room) => (
          <li key={room.room_id}>
            <RoomLink
              room={room}
              canManage={space.role === "admin"}
              unread={unread.find((each) => each.room_id === room.room_id)}
              onChosen={onChosen}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const NewRoomDialog = lazy(() =>
  import("./NewRoomDialog").then((module) => ({ default: module.NewRoomDialog })),
);

function NewRoomButton({ space }: { space: Space }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={texts.rooms.addTo(space.name)}
        onClick={() => setOpen(true)}
      >
        <Plus size={15} />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <NewRoomDialog space={space} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
