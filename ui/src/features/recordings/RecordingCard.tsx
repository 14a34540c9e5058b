import { useInViewport } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { AudioLines, Play } from "lucide-react";
import { useState } from "react";
import { formatBytes, formatDuration } from "@/kit/text/units";
import { formatRelative, fullTime } from "@/kit/text/times";
import { ActorName } from "@/model/people/ActorName";
import { mediaOf, type Recording } from "./queries";
import classes from "./RecordingCard.module.css";
import { TranscriptionState } from "./TranscriptionState";

interface Props {
  recording: Recording;
  organizationId: string;
}

/** A recording in the list: thumbnail, name, and the state of its transcript. */
export function RecordingCard({ recording, organizationId }: Props) {
  return (
    <li className={classes.card}>
      <Link
        from="/o/$organizationId/rooms/$roomId"
        to="."
        search={{ recording: recording.recording_id }}
        className={classes.link}
      >
        <Still recording={recording} />
        <b className={classes.name}>
          <bdi>{recording.name}</bdi>
        </b>
      </Link>
      <span className={classes.about}>
        <ActorName organizationId={organizationId} actorId={recording.created_by} /> ·{" "}
        <time dateTime={recording.created_at} title={fullTime(recording.created_at)}>
          {formatRelative(recording.created_at, new Date())}
        </time>{" "}
        · {formatBytes(recording.size)}
      </span>
      <TranscriptionState recording={recording} isShort />
    </li>
  );
}

/** The first frame of a video as its thumbnail, loaded when it becomes visible. */
function Still({ recording }: { recording: Recording }) {
  const { ref, inViewport } = useInViewport();
  const [wasSeen, setWasSeen] = useState(false);
  const [seconds, setSeconds] = useState((recording.duration_ms ?? 0) / 1000);
  if (inViewport && !wasSeen) setWasSeen(true);
  const isFilm = recording.media_type.startsWith("video/");
  return (
    <span ref={ref} className={classes.still}>
      {isFilm ? <Play size={30} aria-hidden /> : <AudioLines size={38} aria-hidden />}
      {wasSeen && isFilm && (
        <video
          src={`${mediaOf(recording)}#t=0.5`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden
          onLoadedMetadata={({ currentTarget: { duration } }) =>
            setSeconds((known) => known || (Number.isFinite(duration) ? duration : 0))
          }
        />
      )}
      {seconds > 0 && <span className={classes.length}>{formatDuration(seconds)}</span>}
    </span>
  );
}
