import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { Dialog } from "@/kit/overlay/Dialog";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { renameRecording } from "./changes";
import type { Recording } from "./queries";

interface Props {
  recording: Recording;
  onClose: () => void;
}

export function RenameRecordingDialog({ recording, onClose }: Props) {
  const [name, setName] = useState(recording.name);
  const rename = useMutation({
    mutationFn: () => renameRecording(recording, name.trim()),
    onSuccess: onClose,
  });
  return (
    <Dialog onClose={onClose} title={recordings.rename} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={recordings.name}
            value={name}
            maxLength={200}
            error={rename.isError && messageOf(rename.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={!name.trim()}>
              {texts.app.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
