import { Textarea, TextInput } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FormDialog } from "@/kit/overlay/FormDialog";
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
    <FormDialog
      title={title}
      action={action}
      isIncomplete={!name.trim()}
      change={{ isPending: save.isPending, error: isTaken ? null : save.error }}
      onSubmit={() => save.mutate({ name, description })}
      onClose={onClose}
    >
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
        description={managing.descriptionHint}
        maxLength={2000}
        rows={4}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {children}
    </FormDialog>
  );
}
