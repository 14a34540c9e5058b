import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { Circle, Pause, Play, RotateCcw, Square, Upload } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/kit/overlay/Dialog";
import { formatDuration } from "@/kit/text/units";
import { recordings } from "@/texts/recordings";
import classes from "./RecorderDialog.module.css";
import { canRecord, SOURCES, type Source } from "./sources";
import { startUpload } from "./uploads";
import { useRecorder, type RecorderState } from "./useRecorder";

interface Props {
  roomId: string;
  onClose: () => void;
}

const labels = recordings.recorder;

/** Record the camera, the screen or audio, review the recording and upload it. */
export function RecorderDialog({ roomId, onClose }: Props) {
  const [source, setSource] = useState<Source>("camera");
  const recorder = useRecorder();
  const { state } = recorder;
  const isOn = state.step === "recording" || state.step === "paused";
  return (
    <Dialog
      onClose={onClose}
      title={state.step === "done" ? labels.review : labels.title}
      size="lg"
      centered
      closeOnClickOutside={state.step === "idle"}
      closeOnEscape={state.step === "idle"}
    >
      {!canRecord() ? (
        <Alert color="yellow">{labels.unsupported}</Alert>
      ) : (
        <Stack>
          <Picture state={state} source={source} />
          {(state.step === "idle" || state.step === "opening") && (
            <>
              {state.step === "idle" && state.problem !== null && (
                <Alert color="red">{problemText(state.problem)}</Alert>
              )}
              <SegmentedControl
                fullWidth
                aria-label={labels.source}
                value={source}
                onChange={(value) => setSource(value as Source)}
                data={SOURCES.map((value) => ({ value, label: labels.sources[value] }))}
              />
              <Text size="sm" c="dimmed">
                {labels.hint[source]} {labels.private}
              </Text>
              <Button
                size="md"
                leftSection={<Circle size={15} fill="currentColor" aria-hidden />}
                loading={state.step === "opening"}
                onClick={() => void recorder.start(source)}
              >
                {labels.start}
              </Button>
            </>
          )}
          {isOn && (
            <Group justify="space-between">
              <span className={classes.clock} data-paused={state.step === "paused" || undefined}>
                <i aria-hidden />
                <span role="status">{state.step === "paused" ? labels.isPaused : labels.isRecording}</span>
                <time>{formatDuration(recorder.seconds)}</time>
              </span>
              <Group gap="xs">
                {state.step === "paused" ? (
                  <Button variant="default" leftSection={<Play size={15} />} onClick={recorder.resume}>
                    {labels.resume}
                  </Button>
                ) : (
                  <Button variant="default" leftSection={<Pause size={15} />} onClick={recorder.pause}>
                    {labels.pause}
                  </Button>
                )}
                <Button
                  color="red.8"
                  leftSection={<Square size={14} fill="currentColor" />}
                  onClick={recorder.stop}
                >
                  {labels.stop}
                </Button>
              </Group>
            </Group>
          )}
          {state.step === "done" && (
            <Review
              onAgain={recorder.again}
              onUpload={(name) => {
                startUpload(roomId, state.recording, name + endingOf(state.recording.type));
                onClose();
              }}
            />
          )}
        </Stack>
      )}
    </Dialog>
  );
}

/** The live picture while recording, or the finished recording. */
function Picture({ state, source }: { state: RecorderState; source: Source }) {
  if (state.step === "done") {
    return source === "sound" ? (
      <audio controls src={state.url} className={classes.sound} aria-label={labels.review} />
    ) : (
      <video controls src={state.url} className={classes.picture} aria-label={labels.review} />
    );
  }
  if ((state.step !== "recording" && state.step !== "paused") || source === "sound") return null;
  const { stream } = state;
  const show = (here: HTMLVideoElement | null) => {
    if (here && here.srcObject !== stream) here.srcObject = stream;
  };
  return <video ref={show} className={classes.picture} autoPlay muted playsInline aria-hidden />;
}

function Review({ onAgain, onUpload }: { onAgain: () => void; onUpload: (name: string) => void }) {
  const [name, setName] = useState(() => labels.named(new Date().toLocaleString()));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onUpload(name.trim());
      }}
    >
      <Stack>
        <TextInput
          label={recordings.name}
          value={name}
          maxLength={190}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" leftSection={<RotateCcw size={15} aria-hidden />} onClick={onAgain}>
            {labels.again}
          </Button>
          <Button type="submit" leftSection={<Upload size={15} aria-hidden />} disabled={!name.trim()}>
            {labels.upload}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function problemText(problem: unknown): string {
  const name = problem instanceof DOMException ? problem.name : "";
  return name === "NotFoundError" || name === "NotReadableError" ? labels.nothing : labels.refused;
}

const endingOf = (type: string): string => `.${type.split("/")[1] ?? "webm"}`;
