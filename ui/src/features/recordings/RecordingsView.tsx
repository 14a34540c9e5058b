import { Button, CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Upload, Video } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { messageOf } from "@/api/errors";
import { useStore } from "@/kit/data/store";
import { DropZone } from "@/kit/input/DropZone";
import { Loading } from "@/kit/layout/Loading";
import { ProgressBar } from "@/kit/layout/ProgressBar";
import { formatBytes } from "@/kit/text/units";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { recordingsOf } from "./queries";
import { RecordingCard } from "./RecordingCard";
import classes from "./RecordingsView.module.css";
import { startUpload, cancelUpload, uploadAgain, uploads, type Uploading } from "./uploads";

const RecorderDialog = lazy(() =>
  import("./RecorderDialog").then((module) => ({ default: module.RecorderDialog })),
);
const labels = recordings;

/** A video room's recordings, newest first, and buttons to add one. */
export function RecordingsView() {
  const { room, canWrite } = useRoomContext();
  const { data: recordings, error } = useQuery(recordingsOf(room.room_id));
  const [isRecording, setRecording] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: Iterable<File>) => {
    for (const file of files) startUpload(room.room_id, file, file.name);
  };
  return (
    <DropZone label={labels.drop} enabled={canWrite} onFiles={take}>
      <div className={classes.scroller}>
        <div className={classes.column}>
          {canWrite && (
            <div className={classes.tools}>
              <Button leftSection={<Video size={16} aria-hidden />} onClick={() => setRecording(true)}>
                {labels.record}
              </Button>
              <Button
                variant="default"
                leftSection={<Upload size={16} aria-hidden />}
                onClick={() => input.current?.click()}
              >
                {labels.upload}
              </Button>
              <input
                ref={input}
                type="file"
                accept="video/*,audio/*"
                multiple
                hidden
                onChange={(event) => {
                  take(event.currentTarget.files ?? []);
                  event.currentTarget.value = "";
                }}
              />
            </div>
          )}
          <UploadList roomId={room.room_id} />
          {error && <p role="alert">{messageOf(error)}</p>}
          {!recordings && !error && <Loading />}
          {recordings?.length === 0 && <NoRecordings canWrite={canWrite} />}
          {recordings && recordings.length > 0 && (
            <ul className={classes.cards} aria-label={labels.list}>
              {recordings.map((each) => (
                <RecordingCard
                  key={each.recording_id}
                  recording={each}
                  organizationId={room.organization_id}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
      {isRecording && (
        <Suspense>
          <RecorderDialog roomId={room.room_id} onClose={() => setRecording(false)} />
        </Suspense>
      )}
    </DropZone>
  );
}

function NoRecordings({ canWrite }: { canWrite: boolean }) {
  return (
    <div className={classes.nothing}>
      <Video size={34} aria-hidden />
      <h2>{labels.none}</h2>
      <p>{canWrite ? labels.noneHint : labels.noneReadOnly}</p>
    </div>
  );
}

const uploadLabels = recordings.uploads;

/** The uploads to a room, with their progress. */
function UploadList({ roomId }: { roomId: string }) {
  const own = useStore(uploads).filter((each) => each.roomId === roomId);
  if (own.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={uploadLabels.label}>
      {own.map((each) => (
        <li key={each.key} className={classes.upload} data-failed={each.failed !== null || undefined}>
          <div className={classes.about}>
            <bdi>{each.name}</bdi>
            <Progress uploading={each} />
          </div>
          {each.failed && (
            <Button size="compact-sm" variant="default" onClick={() => uploadAgain(each)}>
              {texts.app.tryAgain}
            </Button>
          )}
          <CloseButton aria-label={uploadLabels.cancelUpload(each.name)} onClick={() => cancelUpload(each)} />
        </li>
      ))}
    </ul>
  );
}

function Progress({ uploading: { name, sent, file, failed } }: { uploading: Uploading }) {
  if (failed) return <span role="alert">{uploadLabels.failed(failed)}</span>;
  return (
    <>
      <ProgressBar label={uploadLabels.going(name)} done={sent} total={file.size} />
      <span>{uploadLabels.amount(formatBytes(sent), formatBytes(file.size))}</span>
    </>
  );
}
