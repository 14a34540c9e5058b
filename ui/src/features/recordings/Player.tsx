import { useEffect, useState, type RefObject } from "react";
import type { Store } from "@/kit/data/store";
import { recordings } from "@/texts/recordings";
import classes from "./RecordingPage.module.css";
import { captionsOf, mediaOf, type Recording } from "./queries";

interface Props {
  recording: Recording;
  mediaRef: RefObject<HTMLMediaElement | null>;
  /** Set to the current time of playback, in seconds. */
  time: Store<number>;
  startAt: number;
}

const BEYOND_ANY_END = 1e7;

/** Plays a recording with its transcript as captions. */
export function Player({ recording, mediaRef, time, startAt }: Props) {
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const media = mediaRef.current;
    return media ? trackTime(media, time, startAt) : undefined;
    // the player starts once; another start time seeks
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => {
    const media = mediaRef.current;
    if (startAt > 0 && media && media.readyState > 0) media.currentTime = startAt;
  }, [startAt, mediaRef]);
  const shared = {
    className: classes.player,
    src: mediaOf(recording),
    controls: true,
    preload: "metadata",
    "aria-label": recordings.player(recording.name),
    onError: () => setBroken(true),
  };
  const captions = recording.transcript_version !== null && (
    <track
      key={recording.transcript_version}
      kind="captions"
      src={captionsOf(recording)}
      label={recordings.captions}
    />
  );
  return (
    <>
      {recording.media_type.startsWith("audio/") ? (
        <audio ref={mediaRef as RefObject<HTMLAudioElement>} {...shared} data-sound>
          {captions}
        </audio>
      ) : (
        <video ref={mediaRef as RefObject<HTMLVideoElement>} {...shared} playsInline>
          {captions}
        </video>
      )}
      {isBroken && (
        <p role="alert" className={classes.broken}>
          {recordings.cannotPlay}
        </p>
      )}
    </>
  );
}

/**
 * Track the player's position, and begin at `startAt`. A file without a duration (browsers record such files) is
 * read to its end first, to make it seekable.
 */
function trackTime(media: HTMLMediaElement, time: Store<number>, startAt: number): () => void {
  let isMeasuring = false;
  const reportTime = () => {
    if (!isMeasuring) time.set(media.currentTime);
  };
  const begin = () => {
    isMeasuring = !Number.isFinite(media.duration);
    if (isMeasuring) media.currentTime = BEYOND_ANY_END;
    else if (startAt > 0) media.currentTime = startAt;
  };
  const measured = () => {
    if (!isMeasuring || !Number.isFinite(media.duration)) return;
    isMeasuring = false;
    media.currentTime = startAt;
  };
  const automatic = [
    ["timeupdate", reportTime],
    ["seeking", reportTime],
    ["loadedmetadata", begin],
    ["durationchange", measured],
  ] as const;
  for (const [event, listener] of automatic) media.addEventListener(event, listener);
  if (media.readyState > 0) begin();
  return () => {
    for (const [event, listener] of automatic) media.removeEventListener(event, listener);
  };
}
