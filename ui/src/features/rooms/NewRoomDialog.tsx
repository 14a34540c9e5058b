import { SegmentedControl, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { unwrap } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { roomsOf, type Room } from "@/model/rooms/queries";
import type { Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { RoomDialog, type RoomText } from "./RoomDialog";

interface Props {
  space: Space;
  onClose: () => void;
}

const TYPES: Room["room_type"][] = ["chat", "post", "video"];
const EMPTY: RoomText = { name: "", description: "" };

export function NewRoomDialog({ space, onClose }: Props) {
  const navigate = useNavigate();
  const [type, setType] = useState<Room["room_type"]>("chat");
  const create = useChange({
    change: ({ name, description }: RoomText) =>
      unwrap(
        api.POST("/v2/spaces/{space_id}/rooms", {
          params: { path: { space_id: space.space_id } },
          body: { name: name.trim(), description: description.trim(), room_type: type },
        }),
      ),
    invalidates: [roomsOf(space.space_id).queryKey],
    done: (room) => {
      onClose();
      const params = { organizationId: room.organization_id, roomId: room.room_id };
      void navigate({ to: "/o/$organizationId/rooms/$roomId", params });
    },
    handlesErrors: true,
  });
  return (
    <RoomDialog
      title={texts.rooms.addTo(space.name)}
      action={texts.rooms.create}
      initial={EMPTY}
      save={create}
      onClose={onClose}
    >
      <div>
        <SegmentedControl
          fullWidth
          aria-label={texts.rooms.type}
          value={type}
          onChange={(value) => setType(value as Room["room_type"])}
          data={TYPES.map((value) => ({ value, label: texts.rooms.types[value].name }))}
        />
        <Text size="sm" c="dimmed" mt={6}>
          {texts.rooms.types[type].hint}
        </Text>
      </div>
    </RoomDialog>
  );
}
