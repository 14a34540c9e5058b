import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { incoming } from "@/texts/incoming";
import { createIncoming, incomingOf } from "./queries";

interface Props {
  roomId: string;
  onClose: () => void;
  onCreated: (made: Schemas["ShownIncomingWebhook"]) => void;
}

export function NewIncomingDialog({ roomId, onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const create = useChange({
    change: () => createIncoming(roomId, name.trim()),
    invalidates: [incomingOf(roomId).queryKey],
    done: onCreated,
    handlesErrors: true,
  });
  return (
    <FormDialog
      title={incoming.create}
      action={incoming.create}
      isIncomplete={!name.trim()}
      change={create}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextInput
        label={incoming.name}
        description={incoming.nameMore}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
