import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/layout/Loading";
import type { Store } from "@/kit/data/store";
import { useChange } from "@/kit/data/useChange";
import { useRoomContext } from "@/model/messages/roomContext";
import { recordings } from "@/texts/recordings";
import { transcribe } from "./changes";
import { isUnderWay, transcriptOf, type Recording } from "./queries";
import { TranscriptionState } from "./TranscriptionState";
import classes from "./TranscriptPanel.module.css";
import { TranscriptView } from "./TranscriptView";

interface Props {
  recording: Recording;
  time: Store<number>;
  onSeek: (seconds: number) => void;
}

const labels = recordings.transcript;

/** The transcript of a recording, or the state of its transcription. */
export function TranscriptPanel({ recording, time, onSeek }: Props) {
  const version = recording.transcript_version;
  // An edit creates a new version; the previous one stays visible until it is loaded.
  const { data, error } = useQuery({
    ...transcriptOf(recording.recording_id, version),
    placeholderData: (previous) => previous,
  });
  const transcript = version === null ? undefined : data;
  return (
    <section className={classes.panel} aria-label={labels.title}>
      <header className={classes.header}>
        <h3>{labels.title}</h3>
        {transcript && (
          <span>
            {labels.version(
              transcript.version,
              transcript.origin === "put" ? labels.byHand : labels.automatic,
            )}
          </span>
        )}
      </header>
      <div className={classes.state}>
        <TranscriptionState recording={recording} />
      </div>
      {version === null && <Missing recording={recording} />}
      {version !== null && error && (
        <p role="alert" className={classes.none}>
          {messageOf(error)}
        </p>
      )}
      {version !== null && !transcript && !error && <Loading />}
      {transcript && (
        <TranscriptView
          key={recording.recording_id}
          recording={recording}
          transcript={transcript}
          time={time}
          onSeek={onSeek}
        />
      )}
    </section>
  );
}

function Missing({ recording }: { recording: Recording }) {
  const { canWrite } = useRoomContext();
  const request = useChange({ change: () => transcribe(recording) });
  if (isUnderWay(recording)) return null;
  return (
    <div className={classes.none}>
      <p>{labels.none}</p>
      {canWrite && (
        <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
          {labels.transcribe}
        </Button>
      )}
    </div>
  );
}
