import { Alert, Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { formatDuration } from "@/kit/text/units";
import { showNotice } from "@/kit/overlay/notices";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import { currentTranscriptFrom, putTranscript } from "./changes";
import { readRecordings, type Recording, type Segment, type Transcript } from "./queries";
import classes from "./TranscriptView.module.css";
import { corrected, nearestTo, placeOf } from "./segments";

interface Props {
  recording: Recording;
  transcript: Transcript;
  segment: Segment;
  onDone: () => void;
}

interface Theirs {
  transcript: Transcript;
  index: number;
}

const labels = recordings.transcript;

/**
 * Edit one segment. Edits of other segments by others stay; if someone else edited this one, show both versions and let
 * the user choose.
 */
export function SegmentEditor({ recording, transcript, segment, onDone }: Props) {
  const [from] = useState(segment);
  const [base] = useState(transcript);
  const [text, setText] = useState(segment.text);
  const [speaker, setSpeaker] = useState(segment.speaker ?? "");
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);

  const put = async (on: Transcript, index: number): Promise<void> => {
    const by = { text, speaker: speaker.trim() || null };
    try {
      await putTranscript(recording, on, corrected(on.segments, index, by));
    } catch (error) {
      const present = currentTranscriptFrom(error);
      if (!present) throw error;
      const same = placeOf(present.segments, from);
      if (same >= 0) return put(present, same);
      return setTheirs({ transcript: present, index: nearestTo(present.segments, from) });
    }
    showNotice(labels.corrected);
    onDone();
  };
  const save = (on: Transcript, index: number) => {
    setProblem("");
    setBusy(true);
    put(on, index)
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => setBusy(false));
  };
  const saveOwn = () => save(base, placeOf(base.segments, from));
  const takeTheirs = () => {
    void readRecordings(recording.room_id);
    onDone();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") onDone();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !theirs) saveOwn();
  };
  const other = theirs?.transcript.segments[theirs.index];
  return (
    <div role="listitem" className={classes.editor} onKeyDown={onKeyDown}>
      <Stack gap={8}>
        <TextInput
          size="xs"
          label={`${labels.speaker} · ${formatDuration(from.start)}`}
          value={speaker}
          maxLength={200}
          onChange={(event) => setSpeaker(event.currentTarget.value)}
        />
        <Textarea
          aria-label={labels.text}
          value={text}
          maxLength={5000}
          rows={Math.min(Math.ceil(text.length / 44) + 1, 10)}
          autoFocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {problem && <Alert color="red">{problem}</Alert>}
        {theirs ? (
          <Alert color="yellow" role="alert" title={labels.conflict}>
            <p className={classes.theirs}>{other ? other.text : labels.gone}</p>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                {labels.takeTheirs}
              </Button>
              <Button
                size="compact-sm"
                disabled={!other}
                onClick={() => save(theirs.transcript, theirs.index)}
              >
                {labels.keepMine}
              </Button>
            </Group>
          </Alert>
        ) : (
          <Group gap="xs">
            <Button size="compact-sm" loading={isBusy} disabled={!text.trim()} onClick={saveOwn}>
              {texts.app.save}
            </Button>
            <Button size="compact-sm" variant="default" onClick={onDone}>
              {texts.app.cancel}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  );
}
