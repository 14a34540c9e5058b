import { Link } from "@tanstack/react-router";
import { Video } from "lucide-react";
import { formatDuration } from "@/kit/text/units";
import { fullTime, shortDate } from "@/kit/text/times";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { texts } from "@/texts";
import { search } from "@/texts/search";
import { Excerpt } from "./Excerpt";
import { MessageExcerpt } from "./MessageExcerpt";
import type { SearchResult, TranscriptResult } from "./queries";
import classes from "./SearchResultLink.module.css";

interface Props {
  organizationId: string;
  result: SearchResult;
}

/** A message that was found, as a link to it. */
export function SearchResultLink({ organizationId, result }: Props) {
  return (
    <Link
      to="/o/$organizationId/rooms/$roomId"
      params={{ organizationId, roomId: result.room_id }}
      search={{ message: result.message_id, thread: result.thread_root_id ?? undefined }}
      className={classes.result}
    >
      <ActorAvatar organizationId={organizationId} actorId={result.user_id} />
      <span className={classes.main}>
        <span className={classes.head}>
          <b>
            <bdi>{result.sender_name}</bdi>
          </b>
          <span>
            {search.inRoom} <bdi>{result.room_name}</bdi>
            {result.thread_root_id && ` · ${texts.messages.thread}`}
          </span>
          <time dateTime={result.sent_at} title={fullTime(result.sent_at)}>
            {shortDate(result.sent_at)}
          </time>
        </span>
        <span className={classes.excerpt}>
          <MessageExcerpt organizationId={organizationId} excerpt={result.excerpt} />
        </span>
      </span>
    </Link>
  );
}

interface TranscriptResultLinkProps {
  organizationId: string;
  result: TranscriptResult;
}

/** A match in a transcript, as a link to that moment of the recording. */
export function TranscriptResultLink({ organizationId, result }: TranscriptResultLinkProps) {
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
