import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { messageOf } from "@/api/errors";
import { texts } from "@/texts";
import { Dialog } from "./Dialog";

interface Props {
  title: string;
  /** "Delete" unless given. */
  action?: string;
  /** "Cancel" unless given. */
  cancel?: string;
  isDangerous?: boolean;
  /** The consequence. */
  children: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before something is deleted or taken away, or another change that cannot be undone. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    action = texts.app.delete,
    cancel = texts.app.cancel,
    isDangerous = true,
    children,
    onConfirm,
    onClose,
  } = props;
  const act = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title} centered>
      <Stack>
        {act.isError && <Alert color="red">{messageOf(act.error)}</Alert>}
        <Text>{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            color={isDangerous ? "red.8" : undefined}
            loading={act.isPending}
            onClick={() => act.mutate()}
            data-autofocus
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
