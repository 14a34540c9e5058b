import { Button, TextInput } from "@mantine/core";
import { LocateFixed, Search, Pencil } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { VList, type VListHandle } from "virtua";
import type { Store } from "@/kit/data/store";
import { formatDuration } from "@/kit/text/units";
import { useRoomContext } from "@/model/messages/roomContext";
import { recordings } from "@/texts/recordings";
import type { Recording, Transcript, Segment } from "./queries";
import { SegmentEditor } from "./SegmentEditor";
import { matches, segmentAt } from "./segments";
import classes from "./TranscriptView.module.css";

interface Props {
  recording: Recording;
  transcript: Transcript;
  time: Store<number>;
  onSeek: (seconds: number) => void;
}

const labels = recordings.transcript;

/** A transcript that follows playback until the user scrolls it. */
export function TranscriptView({ recording, transcript, time, onSeek }: Props) {
  const { canWrite } = useRoomContext();
  const { segments } = transcript;
  const now = useSegmentAt(time, transcript);
  const list = useRef<VListHandle>(null);
  const [follows, setFollows] = useState(true);
  const [query, setQuery] = useState("");
  const [editing, setEditing] = useState<number | null>(null);
  const found = useMemo(() => matches(segments, query), [segments, query]);
  const shown = useMemo(
    () => (query.trim() ? found : segments.map((_, index) => index)),
    [segments, query, found],
  );
  const isWhole = !query.trim();

  useEffect(() => {
    if (follows && isWhole && now >= 0 && editing === null)
      list.current?.scrollToIndex(now, { align: "center" });
  }, [follows, isWhole, now, editing]);
  const lookAround = () => setFollows(false);

  return (
    <>
      <div className={classes.tools}>
        <TextInput
          size="xs"
          flex={1}
          leftSection={<Search size={14} aria-hidden />}
          aria-label={labels.find}
          placeholder={labels.find}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <span role="status">{!isWhole && labels.found(found.length)}</span>
      </div>
      <VList
        ref={list}
        className={classes.list}
        role="list"
        aria-label={labels.title}
        bufferSize={600}
        keepMounted={editing === null ? undefined : [shown.indexOf(editing)].filter((each) => each >= 0)}
        onWheel={lookAround}
        onTouchMove={lookAround}
        data-transcript
      >
        {shown.map((index) => {
          const segment = segments[index];
          if (!segment) return <div key={index} />;
          return index === editing ? (
            <SegmentEditor
              key={index}
              recording={recording}
              transcript={transcript}
              segment={segment}
              onDone={() => setEditing(null)}
            />
          ) : (
            <SegmentRow
              key={index}
              segment={segment}
              showsSpeaker={!isWhole || segment.speaker !== segments[index - 1]?.speaker}
              isNow={index === now}
              onSeek={() => {
                setFollows(true);
                onSeek(segment.start);
              }}
              onCorrect={canWrite ? () => setEditing(index) : undefined}
            />
          );
        })}
      </VList>
      {!follows && isWhole && (
        <Button
          className={classes.follow}
          size="compact-sm"
          radius="xl"
          leftSection={<LocateFixed size={14} aria-hidden />}
          onClick={() => setFollows(true)}
        >
          {labels.follow}
        </Button>
      )}
    </>
  );
}

/** Return the segment at the current time; re-render only when it changes. */
function useSegmentAt(time: Store<number>, { segments }: Transcript): number {
  const read = useCallback(() => segmentAt(segments, time.get()), [segments, time]);
  return useSyncExternalStore(time.subscribe, read);
}

interface SegmentRowProps {
  segment: Segment;
  showsSpeaker: boolean;
  isNow: boolean;
  onSeek: () => void;
  onCorrect?: () => void;
}

/** A segment of the transcript, which plays the recording from there. Its text is rendered as plain text. */
function SegmentRow({ segment, showsSpeaker, isNow, onSeek, onCorrect }: SegmentRowProps) {
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
