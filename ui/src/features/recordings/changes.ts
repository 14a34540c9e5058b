import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap, apiErrorOf, ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { readRecordings, transcriptOf, type Recording, type Segment, type Transcript } from "./queries";

const at = (recording: Recording) => ({ path: { recording_id: recording.recording_id } });

export async function renameRecording(recording: Recording, name: string): Promise<void> {
  const params = at(recording);
  await unwrap(api.PATCH("/v2/recordings/{recording_id}", { params, body: { name } }));
  await readRecordings(recording.room_id);
}

export async function deleteRecording(recording: Recording): Promise<void> {
  await unwrap(api.DELETE("/v2/recordings/{recording_id}", { params: at(recording) }));
  await readRecordings(recording.room_id);
}

export async function transcribe(recording: Recording): Promise<void> {
  const params = at(recording);
  await unwrap(api.POST("/v2/recordings/{recording_id}/transcription", { params, body: {} }));
  await readRecordings(recording.room_id);
}

/** Save the transcript, based on the version that was edited. Throws ApiError `transcript_changed`. */
export async function putTranscript(
  recording: Recording,
  seen: Transcript,
  segments: Segment[],
): Promise<void> {
  const body = { segments, language: seen.language, version: seen.version };
  const params = at(recording);
  cacheTranscript(await unwrap(api.PUT("/v2/recordings/{recording_id}/transcript", { params, body })));
  await readRecordings(recording.room_id);
}

/** Upload a WebVTT file as the transcript. */
export async function uploadTranscript(recording: Recording, file: Blob): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(`/v2/recordings/${recording.recording_id}/transcript`, {
      method: "PUT",
      headers: { "Content-Type": "text/vtt" },
      body: file,
    });
  } catch {
    throw new ApiError(0, "unreachable", texts.errors.unreachable);
  }
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw apiErrorOf(answer, body);
  cacheTranscript(body as Transcript);
  await readRecordings(recording.room_id);
}

function cacheTranscript(transcript: Transcript): void {
  const { queryKey } = transcriptOf(transcript.recording_id, transcript.version);
  queryClient.setQueryData(queryKey, transcript);
}

/** Return the current transcript, from the error that reports a change; null if it was deleted. */
export function currentTranscriptFrom(error: unknown): Transcript | null | undefined {
  if (!(error instanceof ApiError) || error.code !== "transcript_changed") return undefined;
  return (error.body as { transcript?: Transcript }).transcript ?? null;
}
