import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
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
  const rename = useChange({
    change: () => renameRecording(recording, name.trim()),
    done: onClose,
    handlesErrors: true,
  });
  return (
    <FormDialog
      title={recordings.rename}
      action={texts.app.save}
      isIncomplete={!name.trim()}
      change={rename}
      onSubmit={rename.mutate}
      onClose={onClose}
    >
      <TextInput
        label={recordings.name}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
