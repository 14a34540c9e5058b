import { useChange } from "@/kit/data/useChange";
import { updateRoom } from "@/model/rooms/changes";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { managing } from "@/texts/rooms";
import { RoomDialog, type RoomText } from "./RoomDialog";

interface Props {
  room: Room;
  onClose: () => void;
}

/** Change a room's name and description. Only what differs is sent. */
export function EditRoomDialog({ room, onClose }: Props) {
  const save = useChange({
    change: ({ name, description }: RoomText) =>
      updateRoom(room, {
        ...(name !== room.name && { name: name.trim() }),
        ...(description !== room.description && { description: description.trim() }),
      }),
    done: onClose,
    handlesErrors: true,
  });
  return (
    <RoomDialog
      title={managing.editOne(room.name)}
      action={texts.app.save}
      initial={room}
      save={save}
      onClose={onClose}
    />
  );
}
