import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { Circle, Pause, Play, RotateCcw, Square, Upload } from "lucide-react";
import { useState } from "react";
import { clockOf } from "@/kit/clocks";
import { recordings } from "@/texts/recordings";
import classes from "./RecorderDialog.module.css";
import { canRecord, SOURCES, type Source } from "./sources";
import { startUpload } from "./uploads";
import { useRecorder, type RecorderState } from "./useRecorder";

interface Props {
  roomId: string;
  onClose: () => void;
}

const said = recordings.recorder;

/** Records camera, screen or sound, shows what came of it, and uploads it when told to. */
export function RecorderDialog({ roomId, onClose }: Props) {
  const [source, choose] = useState<Source>("camera");
  const recorder = useRecorder();
  const { state } = recorder;
  const isOn = state.step === "recording" || state.step === "paused";
  return (
    <Modal
      opened
      onClose={onClose}
      title={state.step === "done" ? said.review : said.title}
      size="lg"
      centered
      closeOnClickOutside={state.step === "idle"}
      closeOnEscape={state.step === "idle"}
    >
      {!canRecord() ? (
        <Alert color="yellow">{said.unsupported}</Alert>
      ) : (
        <Stack>
          <Picture state={state} source={source} />
          {(state.step === "idle" || state.step === "opening") && (
            <>
              {state.step === "idle" && state.trouble !== null && (
                <Alert color="red">{troubleOf(state.trouble)}</Alert>
              )}
              <SegmentedControl
                fullWidth
                aria-label={said.source}
                value={source}
                onChange={(value) => choose(value as Source)}
                data={SOURCES.map((value) => ({ value, label: said.sources[value] }))}
              />
              <Text size="sm" c="dimmed">
                {said.more[source]} {said.private}
              </Text>
              <Button
                size="md"
                leftSection={<Circle size={15} fill="currentColor" aria-hidden />}
                loading={state.step === "opening"}
                onClick={() => void recorder.start(source)}
              >
                {said.start}
              </Button>
            </>
          )}
          {isOn && (
            <Group justify="space-between">
              <span className={classes.clock} data-paused={state.step === "paused" || undefined}>
                <i aria-hidden />
                <span role="status">{state.step === "paused" ? said.isPaused : said.isRecording}</span>
                <time>{clockOf(recorder.seconds)}</time>
              </span>
              <Group gap="xs">
                {state.step === "paused" ? (
                  <Button variant="default" leftSection={<Play size={15} />} onClick={recorder.resume}>
                    {said.resume}
                  </Button>
                ) : (
                  <Button variant="default" leftSection={<Pause size={15} />} onClick={recorder.pause}>
                    {said.pause}
                  </Button>
                )}
                <Button
                  color="red.8"
                  leftSection={<Square size={14} fill="currentColor" />}
                  onClick={recorder.stop}
                >
                  {said.stop}
                </Button>
              </Group>
            </Group>
          )}
          {state.step === "done" && (
            <Review
              onAgain={recorder.again}
              onUpload={(name) => {
                startUpload(roomId, state.film, name + endingOf(state.film.type));
                onClose();
              }}
            />
          )}
        </Stack>
      )}
    </Modal>
  );
}

/** What is being recorded, or what was. */
function Picture({ state, source }: { state: RecorderState; source: Source }) {
  if (state.step === "done") {
    return source === "sound" ? (
      <audio controls src={state.url} className={classes.sound} aria-label={said.review} />
    ) : (
      <video controls src={state.url} className={classes.picture} aria-label={said.review} />
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
  const [name, setName] = useState(() => said.named(new Date().toLocaleString()));
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
            {said.again}
          </Button>
          <Button type="submit" leftSection={<Upload size={15} aria-hidden />} disabled={!name.trim()}>
            {said.upload}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function troubleOf(trouble: unknown): string {
  const name = trouble instanceof DOMException ? trouble.name : "";
  return name === "NotFoundError" || name === "NotReadableError" ? said.nothing : said.refused;
}

const endingOf = (type: string): string => `.${type.split("/")[1] ?? "webm"}`;
