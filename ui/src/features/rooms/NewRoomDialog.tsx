import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap, messageOf } from "@/api/errors";
import { isNameTaken } from "@/model/rooms/changes";
import { roomsOf, type Room } from "@/model/rooms/queries";
import type { Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { managing } from "@/texts/rooms";

interface Props {
  space: Space;
  onClose: () => void;
}

const TYPES: Room["room_type"][] = ["chat", "post", "video"];

export function NewRoomDialog({ space, onClose }: Props) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [type, setType] = useState<Room["room_type"]>("chat");
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v2/spaces/{space_id}/rooms", {
          params: { path: { space_id: space.space_id } },
          body: { name: name.trim(), description: description.trim(), room_type: type },
        }),
      ),
    onSuccess: async (room) => {
      await queryClient.invalidateQueries({ queryKey: roomsOf(space.space_id).queryKey });
      onClose();
      const params = { organizationId: room.organization_id, roomId: room.room_id };
      void navigate({ to: "/o/$organizationId/rooms/$roomId", params });
    },
  });
  const isTaken = isNameTaken(create.error);
  return (
    <Modal opened onClose={onClose} title={texts.rooms.addTo(space.name)} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
          {create.isError && !isTaken && <Alert color="red">{messageOf(create.error)}</Alert>}
          <TextInput
            label={texts.rooms.name}
            required
            maxLength={200}
            value={name}
            error={isTaken && managing.taken}
            onChange={(event) => {
              setName(event.currentTarget.value);
              if (isTaken) create.reset();
            }}
            data-autofocus
          />
          <TextInput
            label={texts.rooms.description}
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <div>
            <SegmentedControl
              fullWidth
              aria-label={texts.rooms.type}
              value={type}
              onChange={(value) => setType(value as Room["room_type"])}
              data={TYPES.map((value) => ({ value, label: texts.rooms.types[value].name }))}
            />
            <Text size="sm" c="dimmed" mt={6}>
              {texts.rooms.types[type].more}
            </Text>
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
              {texts.rooms.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
