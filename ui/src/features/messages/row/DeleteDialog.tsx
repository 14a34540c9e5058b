import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { messageOf } from "@/api/errors";
import type { Message } from "@/model/messages/history";
import { texts } from "@/texts";
import { deleteMessage } from "./changes";

interface Props {
  message: Message;
  onClose: () => void;
}

export function DeleteDialog({ message, onClose }: Props) {
  const remove = useMutation({ mutationFn: () => deleteMessage(message), onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={texts.messages.deleteTitle} centered>
      <Stack>
        {remove.isError && <Alert color="red">{messageOf(remove.error)}</Alert>}
        <Text>{texts.messages.deleteMore}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()} data-autofocus>
            {texts.messages.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
