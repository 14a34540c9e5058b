import { ActionIcon } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { lazy, type ReactNode } from "react";
import { Opener } from "@/kit/overlay/Opener";
import { useRoomContext } from "@/model/messages/roomContext";
import { managing } from "@/texts/rooms";

const load = () => import("./RoomMenu");
const RoomMenu = lazy(() => load().then((m) => ({ default: m.RoomMenu })));

/** The button in a room's header that opens its menu. `jump` opens from the menu if it has no button of its own. */
export function RoomMenuButton({ jump }: { jump?: ReactNode }) {
  const { room, canModerate } = useRoomContext();
  return (
    <Opener
      opens="menu"
      load={load}
      button={
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={managing.menu(room.name)}>
          <Ellipsis size={18} />
        </ActionIcon>
      }
    >
      <RoomMenu room={room} canManage={canModerate} jump={jump} />
    </Opener>
  );
}
