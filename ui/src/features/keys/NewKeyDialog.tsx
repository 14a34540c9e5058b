import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { endOf } from "@/kit/expiry";
import { texts } from "@/texts";
import { createKey } from "./queries";

interface Props {
  onClose: () => void;
  onCreated: (key: string) => void;
}

export function NewKeyDialog({ onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const [expires, setExpires] = useState("");
  const create = useMutation({
    mutationFn: () => createKey(name.trim(), endOf(expires)),
    onSuccess: ({ key }) => onCreated(key),
  });
  return (
    <Modal opened onClose={onClose} title={texts.apiKeys.create} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
          {create.isError && <Alert color="red">{messageOf(create.error)}</Alert>}
          <TextInput
            label={texts.apiKeys.name}
            description={texts.apiKeys.nameMore}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            type="date"
            label={texts.apiKeys.expiry}
            description={texts.apiKeys.expiryMore}
            value={expires}
            onChange={(event) => setExpires(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
              {texts.apiKeys.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
