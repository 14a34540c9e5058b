import { ActionIcon, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Captions, Download, Ellipsis, FileDown, FileUp, Link2, Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { messageOf } from "@/api/refusal";
import { copy } from "@/kit/clipboard";
import { say } from "@/kit/notices";
import type { Store } from "@/kit/store";
import { usePlace } from "@/model/messages/place";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { putVtt, transcribe } from "./changes";
import { DeleteRecordingDialog } from "./DeleteRecordingDialog";
import { captionsOf, isUnderWay, mediaOf, type Recording } from "./queries";
import { RenameRecordingDialog } from "./RenameRecordingDialog";

interface Props {
  recording: Recording;
  time: Store<number>;
}

const said = recordings;
const trouble = (error: unknown) => say(messageOf(error), { trouble: true });

/** What can be done with a recording beside playing it. */
export function RecordingMenu({ recording, time }: Props) {
  const { room, personId, canWrite, canModerate } = usePlace();
  const [asking, ask] = useState<"rename" | "delete" | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const put = useMutation({
    mutationFn: (file: File) => putVtt(recording, file),
    onSuccess: () => say(said.transcript.published),
    onError: trouble,
  });
  const again = useMutation({ mutationFn: () => transcribe(recording), onError: trouble });
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
          <ActionIcon variant="default" size="lg" aria-label={said.more} title={said.more}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Link2 size={15} aria-hidden />} onClick={copyLink}>
            {said.copyLink}
          </Menu.Item>
          <Menu.Item
            component="a"
            href={mediaOf(recording)}
            download={recording.name}
            leftSection={<Download size={15} aria-hidden />}
          >
            {said.download}
          </Menu.Item>
          {recording.transcript_version !== null && (
            <Menu.Item
              component="a"
              href={captionsOf(recording)}
              download={`${recording.name}.vtt`}
              leftSection={<FileDown size={15} aria-hidden />}
            >
              {said.transcript.download}
            </Menu.Item>
          )}
          {canWrite && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<FileUp size={15} aria-hidden />}
                onClick={() => input.current?.click()}
              >
                {said.transcript.put}
              </Menu.Item>
              {!isUnderWay(recording) && (
                <Menu.Item leftSection={<Captions size={15} aria-hidden />} onClick={() => again.mutate()}>
                  {recording.transcript_version === null ? said.transcript.transcribe : said.transcript.again}
                </Menu.Item>
              )}
            </>
          )}
          {canChange && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => ask("rename")}>
                {said.rename}
              </Menu.Item>
              <Menu.Item leftSection={<Trash2 size={15} aria-hidden />} onClick={() => ask("delete")}>
                {said.delete}
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
      {asking === "rename" && <RenameRecordingDialog recording={recording} onClose={() => ask(null)} />}
      {asking === "delete" && <DeleteRecordingDialog recording={recording} onClose={() => ask(null)} />}
    </>
  );
}
