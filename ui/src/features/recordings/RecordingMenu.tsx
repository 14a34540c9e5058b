import { ActionIcon, Menu, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Captions, Download, Ellipsis, FileDown, FileUp, Link2, Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import type { Store } from "@/kit/data/store";
import { useChange } from "@/kit/data/useChange";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { showNotice } from "@/kit/overlay/notices";
import { copy } from "@/kit/text/clipboard";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { deleteRecording, transcribe, uploadTranscript, renameRecording } from "./changes";
import { captionsOf, isUnderWay, mediaOf, type Recording } from "./queries";

interface Props {
  recording: Recording;
  time: Store<number>;
}

const labels = recordings;

/** The actions of a recording. */
export function RecordingMenu({ recording, time }: Props) {
  const { room, personId, canWrite, canModerate } = useRoomContext();
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate({ from: "/o/$organizationId/rooms/$roomId" });
  const put = useChange({
    change: (file: File) => uploadTranscript(recording, file),
    done: labels.transcript.published,
  });
  const again = useChange({ change: () => transcribe(recording) });
  const remove = async () => {
    await deleteRecording(recording);
    showNotice(labels.deleted);
    void navigate({ search: {} });
  };
  const canChange = recording.created_by === personId || canModerate;
  const copyLink = () => {
    const seconds = Math.floor(time.get());
    const moment = seconds > 0 ? `&at=${seconds}` : "";
    const place = `/o/${room.organization_id}/rooms/${room.room_id}?recording=${recording.recording_id}${moment}`;
    void copy(location.origin + place, texts.messages.linkCopied);
  };
  return (
    <>
      <Menu position="bottom-end" width={260} withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={labels.more} title={labels.more}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Link2 size={15} aria-hidden />} onClick={copyLink}>
            {labels.copyLink}
          </Menu.Item>
          <Menu.Item
            component="a"
            href={mediaOf(recording)}
            download={recording.name}
            leftSection={<Download size={15} aria-hidden />}
          >
            {labels.download}
          </Menu.Item>
          {recording.transcript_version !== null && (
            <Menu.Item
              component="a"
              href={captionsOf(recording)}
              download={`${recording.name}.vtt`}
              leftSection={<FileDown size={15} aria-hidden />}
            >
              {labels.transcript.download}
            </Menu.Item>
          )}
          {canWrite && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<FileUp size={15} aria-hidden />}
                onClick={() => input.current?.click()}
              >
                {labels.transcript.put}
              </Menu.Item>
              {!isUnderWay(recording) && (
                <Menu.Item leftSection={<Captions size={15} aria-hidden />} onClick={() => again.mutate()}>
                  {recording.transcript_version === null
                    ? labels.transcript.transcribe
                    : labels.transcript.again}
                </Menu.Item>
              )}
            </>
          )}
          {canChange && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setDialog("rename")}>
                {labels.rename}
              </Menu.Item>
              <Menu.Item leftSection={<Trash2 size={15} aria-hidden />} onClick={() => setDialog("delete")}>
                {labels.delete}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept=".vtt,text/vtt"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) put.mutate(file);
          event.currentTarget.value = "";
        }}
      />
      {dialog === "rename" && <RenameRecordingDialog recording={recording} onClose={() => setDialog(null)} />}
      {dialog === "delete" && (
        <ConfirmDialog
          title={labels.deleteTitle(recording.name)}
          action={labels.delete}
          onConfirm={remove}
          onClose={() => setDialog(null)}
        >
          {labels.deleteHint}
        </ConfirmDialog>
      )}
    </>
  );
}

interface RenameRecordingDialogProps {
  recording: Recording;
  onClose: () => void;
}

function RenameRecordingDialog({ recording, onClose }: RenameRecordingDialogProps) {
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
