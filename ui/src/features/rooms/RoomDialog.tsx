import { Alert, Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { messageOf } from "@/api/errors";
import { Dialog } from "@/kit/overlay/Dialog";
import { isNameTaken } from "@/model/rooms/changes";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { managing } from "@/texts/rooms";

export type RoomText = Pick<Room, "name" | "description">;

interface Props<Saved> {
  title: string;
  /** The text of the button that saves. */
  action: string;
  initial: RoomText;
  save: UseMutationResult<Saved, Error, RoomText>;
  /** More fields. */
  children?: ReactNode;
  onClose: () => void;
}

/** Ask for the name and description of a room. A name that is taken is marked at its field. */
export function RoomDialog<Saved>({ title, action, initial, save, children, onClose }: Props<Saved>) {
  const [name, setName] = useState(initial.name);
  const [description, setDescription] = useState(initial.description);
  const isTaken = isNameTaken(save.error);
  return (
    <Dialog onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ name, description });
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
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!name.trim()}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
