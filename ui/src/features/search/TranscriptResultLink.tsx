import { Link } from "@tanstack/react-router";
import { Video } from "lucide-react";
import { formatDuration } from "@/kit/text/formatDuration";
import { fullTime, shortDate } from "@/kit/text/times";
import { search } from "@/texts/search";
import { Excerpt } from "./Excerpt";
import type { TranscriptResult } from "./queries";
import classes from "./SearchResultLink.module.css";

interface Props {
  organizationId: string;
  result: TranscriptResult;
}

/** A match in a transcript, as a link to that moment of the recording. */
export function TranscriptResultLink({ organizationId, result }: Props) {
  return (
    <Link
      to="/o/$organizationId/rooms/$roomId"
      params={{ organizationId, roomId: result.room_id }}
      search={{ recording: result.recording_id, at: String(result.start) }}
      className={classes.result}
    >
      <Video size={24} aria-hidden />
      <span className={classes.main}>
        <span className={classes.head}>
          <b>
            <bdi>{result.recording_name}</bdi>
          </b>
          <span>
            {search.inRoom} <bdi>{result.room_name}</bdi> · {formatDuration(result.start)}
          </span>
          <time dateTime={result.published_at} title={fullTime(result.published_at)}>
            {shortDate(result.published_at)}
          </time>
        </span>
        <span className={classes.excerpt}>
          <Excerpt organizationId={organizationId} excerpt={result.excerpt} />
        </span>
      </span>
    </Link>
  );
}
