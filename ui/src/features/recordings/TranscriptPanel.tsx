import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { messageOf } from "@/api/refusal";
import { Loading } from "@/kit/Loading";
import { say } from "@/kit/notices";
import type { Store } from "@/kit/store";
import { usePlace } from "@/model/messages/place";
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

const said = recordings.transcript;

/** What is said in a recording, beside it; or how far it is from being there. */
export function TranscriptPanel({ recording, time, onSeek }: Props) {
  const version = recording.transcript_version;
  // A correction is a new version: the one before stays in sight until it is there.
  const { data, error } = useQuery({
    ...transcriptOf(recording.recording_id, version),
    placeholderData: (previous) => previous,
  });
  const transcript = version === null ? undefined : data;
  return (
    <section className={classes.panel} aria-label={said.title}>
      <header className={classes.header}>
        <h3>{said.title}</h3>
        {transcript && (
          <span>
            {said.version(transcript.version, transcript.origin === "put" ? said.byHand : said.heard)}
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
  const { canWrite } = usePlace();
  const ask = useMutation({
    mutationFn: () => transcribe(recording),
    onError: (error) => say(messageOf(error), { trouble: true }),
  });
  if (isUnderWay(recording)) return null;
  return (
    <div className={classes.none}>
      <p>{said.none}</p>
      {canWrite && (
        <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
          {said.transcribe}
        </Button>
      )}
    </div>
  );
}
