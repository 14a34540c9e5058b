import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { Dialog } from "@/kit/overlay/Dialog";
import { texts } from "@/texts";
import { incoming } from "@/texts/incoming";
import { createIncoming } from "./queries";

interface Props {
  roomId: string;
  onClose: () => void;
  onCreated: (made: Schemas["ShownIncomingWebhook"]) => void;
}

export function NewIncomingDialog({ roomId, onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const create = useMutation({ mutationFn: () => createIncoming(roomId, name.trim()), onSuccess: onCreated });
  return (
    <Dialog onClose={onClose} title={incoming.create} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
          {create.isError && <Alert color="red">{messageOf(create.error)}</Alert>}
          <TextInput
            label={incoming.name}
            description={incoming.nameMore}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
              {incoming.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
