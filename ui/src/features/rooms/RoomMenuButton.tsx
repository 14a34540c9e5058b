import { ActionIcon } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useRoomContext } from "@/model/messages/roomContext";
import { managing } from "@/texts/rooms";
import { RoomMenu } from "./RoomMenu";

/** The button in a room's header that opens its menu. */
export function RoomMenuButton() {
  const { room, canModerate } = useRoomContext();
  const [isOpen, setOpen] = useState(false);
  return (
    <RoomMenu room={room} canManage={canModerate} isOpen={isOpen} onChange={setOpen}>
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={managing.menu(room.name)}>
        <Ellipsis size={18} />
      </ActionIcon>
    </RoomMenu>
  );
}
