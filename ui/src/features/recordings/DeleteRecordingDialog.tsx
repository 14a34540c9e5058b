import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { messageOf } from "@/api/errors";
import { Dialog } from "@/kit/overlay/Dialog";
import { showNotice } from "@/kit/overlay/notices";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { deleteRecording } from "./changes";
import type { Recording } from "./queries";

interface Props {
  recording: Recording;
  onClose: () => void;
}

export function DeleteRecordingDialog({ recording, onClose }: Props) {
  const navigate = useNavigate({ from: "/o/$organizationId/rooms/$roomId" });
  const remove = useMutation({
    mutationFn: () => deleteRecording(recording),
    onSuccess: () => {
      showNotice(recordings.deleted);
      void navigate({ search: {} });
    },
  });
  return (
    <Dialog onClose={onClose} title={recordings.deleteTitle(recording.name)} centered>
      <Stack>
        {remove.isError && <Alert color="red">{messageOf(remove.error)}</Alert>}
        <Text>{recordings.deleteMore}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()} data-autofocus>
            {recordings.delete}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
