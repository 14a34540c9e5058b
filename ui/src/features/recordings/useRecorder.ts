import { useCallback, useEffect, useRef, useState } from "react";
import { close, open, typeFor, type Source } from "./sources";

export type RecorderState =
  | { step: "idle"; problem: unknown }
  | { step: "opening" }
  | { step: "recording" | "paused"; stream: MediaStream }
  | { step: "done"; recording: Blob; url: string };

const PIECE_MS = 1000;
const IDLE: RecorderState = { step: "idle", problem: null };

/** Record in the browser; nothing is uploaded before the user says so. */
export function useRecorder() {
  const [state, setState] = useState<RecorderState>(IDLE);
  const [seconds, setSeconds] = useState(0);
  const recorder = useRef<MediaRecorder | null>(null);

  const start = useCallback(async (source: Source) => {
    setState({ step: "opening" });
    try {
      const stream = await open(source);
      const type = typeFor(source, (each) => MediaRecorder.isTypeSupported(each));
      const mediaRecorder = new MediaRecorder(stream, type ? { mimeType: type } : {});
      recorder.current = mediaRecorder;
      const watch = new Stopwatch();
      const pieces: Blob[] = [];
      mediaRecorder.ondataavailable = ({ data }) => {
        if (data.size > 0) pieces.push(data);
        setSeconds(watch.seconds());
      };
      mediaRecorder.onpause = () => {
        watch.pause();
        setState({ step: "paused", stream });
      };
      mediaRecorder.onresume = () => {
        watch.go();
        setState({ step: "recording", stream });
      };
      mediaRecorder.onstop = () => {
        close(stream);
        recorder.current = null;
        const ms = watch.seconds() * 1000;
        void withDuration(new Blob(pieces, { type: mediaRecorder.mimeType.split(";")[0] }), ms).then(
          (recording) =>
            setState({ step: "done", recording: recording, url: URL.createObjectURL(recording) }),
        );
      };
      // stopping the screen share stops the recording
      stream.getVideoTracks()[0]?.addEventListener("ended", () => stop(recorder.current));
      mediaRecorder.start(PIECE_MS);
      watch.go();
      setSeconds(0);
      setState({ step: "recording", stream });
    } catch (problem) {
      setState({ step: "idle", problem });
    }
  }, []);
  const again = useCallback(() => setState(IDLE), []);

  useEffect(() => () => discard(recorder.current), []);
  const url = state.step === "done" ? state.url : null;
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);

  return {
    state,
    seconds,
    start,
    again,
    pause: () => recorder.current?.pause(),
    resume: () => recorder.current?.resume(),
    stop: () => stop(recorder.current),
  };
}

function stop(recorder: MediaRecorder | null): void {
  if (recorder && recorder.state !== "inactive") recorder.stop();
}

/** When the page closes, release the camera and microphone and discard the recording. */
function discard(recorder: MediaRecorder | null): void {
  if (!recorder) return;
  recorder.onstop = null;
  stop(recorder);
  close(recorder.stream);
}

/** Add the duration that browsers leave out; without it, players cannot seek. */
async function withDuration(recording: Blob, ms: number): Promise<Blob> {
  if (!recording.type.endsWith("webm")) return recording;
  const { default: withDuration } = await import("fix-webm-duration");
  return withDuration(recording, ms, { logger: false });
}

/** Counts the time without pauses. */
class Stopwatch {
  private counted = 0;
  private since: number | null = null;

  go(): void {
    this.since = performance.now();
  }

  pause(): void {
    this.counted = this.seconds();
    this.since = null;
  }

  seconds(): number {
    return this.counted + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }
}
