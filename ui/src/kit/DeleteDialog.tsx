import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { messageOf } from "@/api/errors";
import { texts } from "@/texts";

interface Props {
  title: string;
  /** The consequence. */
  children: string;
  onDelete: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before something is deleted. */
export function DeleteDialog({ title, children, onDelete, onClose }: Props) {
  const remove = useMutation({ mutationFn: onDelete, onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Stack>
        {remove.isError && <Alert color="red">{messageOf(remove.error)}</Alert>}
        <Text>{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()} data-autofocus>
            {texts.app.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
