import { Center } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useMemo, useRef } from "react";
import { messageOf } from "@/api/errors";
import backClasses from "@/kit/layout/BackLink.module.css";
import { Loading } from "@/kit/layout/Loading";
import { formatBytes } from "@/kit/text/units";
import { Store } from "@/kit/data/store";
import { dateAndTime } from "@/kit/text/times";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { Player } from "./Player";
import { recordingsOf } from "./queries";
import { RecordingMenu } from "./RecordingMenu";
import classes from "./RecordingPage.module.css";
import { TranscriptPanel } from "./TranscriptPanel";

interface Props {
  recordingId: string;
  /** The start time in seconds, from the URL. */
  at: string | undefined;
}

/** A recording with its transcript. */
export function RecordingPage({ recordingId, at }: Props) {
  const { room } = useRoomContext();
  const { data: recordings, error } = useQuery(recordingsOf(room.room_id));
  const media = useRef<HTMLMediaElement>(null);
  const time = useMemo(() => new Store(0), []);
  const recording = recordings?.find((each) => each.recording_id === recordingId);
  if (!recordings) return error ? <p role="alert">{messageOf(error)}</p> : <Loading />;
  if (!recording) return <Gone />;
  const seek = (seconds: number) => {
    const player = media.current;
    if (!player) return;
    player.currentTime = seconds;
    time.set(seconds);
    player.play().catch(() => undefined); // if the browser blocks it, the play button starts at the right place
  };
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <Back />
        <Player recording={recording} mediaRef={media} time={time} startAt={Number(at) || 0} />
        <div className={classes.head}>
          <div className={classes.about}>
            <h2>
              <bdi>{recording.name}</bdi>
            </h2>
            <p>
              <ActorName organizationId={room.organization_id} actorId={recording.created_by} /> ·{" "}
              <time dateTime={recording.created_at}>{dateAndTime(recording.created_at)}</time> ·{" "}
              {formatBytes(recording.size)}
            </p>
          </div>
          <RecordingMenu recording={recording} time={time} />
        </div>
      </div>
      <TranscriptPanel recording={recording} time={time} onSeek={seek} />
    </div>
  );
}

function Back() {
  return (
    <Link from="/o/$organizationId/rooms/$roomId" to="." search={{}} className={backClasses.back}>
      <ChevronLeft size={15} aria-hidden /> {recordings.back}
    </Link>
  );
}

function Gone() {
  return (
    <Center h="100%" p="lg">
      <div>
        <h2>{texts.app.notFound}</h2>
        <p>{texts.app.notFoundHint}</p>
        <Back />
      </div>
    </Center>
  );
}
