import { Pencil } from "lucide-react";
import { formatDuration } from "@/kit/text/formatDuration";
import { recordings } from "@/texts/recordings";
import type { Segment } from "./queries";
import classes from "./SegmentRow.module.css";

interface Props {
  segment: Segment;
  showsSpeaker: boolean;
  isNow: boolean;
  onSeek: () => void;
  onCorrect?: () => void;
}

/** A segment of the transcript, which plays the recording from there. Its text is rendered as plain text. */
export function SegmentRow({ segment, showsSpeaker, isNow, onSeek, onCorrect }: Props) {
  const at = formatDuration(segment.start);
  return (
    <div role="listitem" className={classes.row} data-now={isNow || undefined}>
      {showsSpeaker && segment.speaker && (
        <b className={classes.speaker}>
          <bdi>{segment.speaker}</bdi>
        </b>
      )}
      <div className={classes.line}>
        <button
          type="button"
          className={classes.segment}
          aria-current={isNow || undefined}
          title={recordings.transcript.jump(at)}
          onClick={onSeek}
        >
          <time>{at}</time>
          <span dir="auto">{segment.text}</span>
        </button>
        {onCorrect && (
          <button
            type="button"
            className={classes.correct}
            aria-label={recordings.transcript.correctLabel(at)}
            title={recordings.transcript.correct}
            onClick={onCorrect}
          >
            <Pencil size={14} aria-hidden />
          </button>
        )}
      </div>
    </div>
  );
}
