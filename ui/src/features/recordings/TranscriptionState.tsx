import { Captions, CircleAlert, Hourglass, LoaderCircle } from "lucide-react";
import { recordings } from "@/texts/recordings";
import type { Recording } from "./queries";
import classes from "./RecordingPage.module.css";

const labels = recordings.transcript;

interface Props {
  recording: Recording;
  /** Whether to omit the reason of a failure. */
  isShort?: boolean;
}

/** The state of a transcription; renders nothing if none was requested. */
export function TranscriptionState({ recording, isShort }: Props) {
  const { transcription, transcript_version } = recording;
  const status = transcription?.status;
  if (status === "waiting" || status === "running") {
    const percent = Math.floor((transcription?.progress ?? 0) * 100);
    return (
      <span className={classes.state} role="status">
        {status === "running" ? (
          <LoaderCircle size={14} className={classes.turning} aria-hidden />
        ) : (
          <Hourglass size={14} aria-hidden />
        )}
        {status === "running" ? labels.running(percent) : labels.waiting}
        {!isShort && transcription?.reason && <span> · {transcription.reason}</span>}
      </span>
    );
  }
  if (transcript_version !== null)
    return isShort ? (
      <span className={classes.state}>
        <Captions size={15} aria-hidden /> {labels.ready}
      </span>
    ) : null;
  if (status !== "failed") return null;
  return (
    <span className={classes.state} data-failed>
      <CircleAlert size={14} aria-hidden />
      {isShort ? labels.failedShort : labels.failed(transcription?.reason ?? "")}
    </span>
  );
}
