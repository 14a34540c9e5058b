import { Alert, Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { isNameTaken, updateRoom } from "@/model/rooms/changes";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { managing } from "@/texts/rooms";

interface Props {
  room: Room;
  onClose: () => void;
}

/** Change a room's name and description. Only what differs is sent. */
export function EditRoomDialog({ room, onClose }: Props) {
  const [name, setName] = useState(room.name);
  const [description, setDescription] = useState(room.description);
  const save = useMutation({
    mutationFn: () =>
      updateRoom(room, {
        ...(name !== room.name && { name: name.trim() }),
        ...(description !== room.description && { description: description.trim() }),
      }),
    onSuccess: onClose,
  });
  const isTaken = isNameTaken(save.error);
  return (
    <Modal opened onClose={onClose} title={managing.editOne(room.name)} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          {save.isError && !isTaken && <Alert color="red">{messageOf(save.error)}</Alert>}
          <TextInput
            label={texts.rooms.name}
            required
            maxLength={200}
            value={name}
            error={isTaken && managing.taken}
            onChange={(event) => {
              setName(event.currentTarget.value);
              if (isTaken) save.reset();
            }}
            data-autofocus
          />
          <Textarea
            label={texts.rooms.description}
            description={managing.descriptionMore}
            maxLength={2000}
            rows={4}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!name.trim()}>
              {texts.app.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
