import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { queryClient } from "@/api/queryClient";
import { unwrap } from "@/api/errors";

export type Recording = Schemas["Recording"];
export type Transcript = Schemas["Transcript"];
export type Segment = Schemas["Segment"];

const SOON_MS = 2000;
const NOW_AND_THEN_MS = 30_000;

/** Return a room's recordings, newest first; reloaded while one is being transcribed. */
export const recordingsOf = (roomId: string) =>
  queryOptions({
    queryKey: ["recordings", roomId],
    queryFn: async () => {
      const all = await allPages(
        (cursor) =>
          unwrap(
            api.GET("/v2/rooms/{room_id}/recordings", {
              params: { path: { room_id: roomId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.recordings,
      );
      return all.toReversed();
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? SOON_MS : NOW_AND_THEN_MS),
  });

export const isUnderWay = ({ transcription }: Pick<Recording, "transcription">): boolean =>
  transcription?.status === "waiting" || transcription?.status === "running";

/** Return a version of a recording's transcript. */
export const transcriptOf = (recordingId: string, version: number | null) =>
  queryOptions({
    queryKey: ["transcript", recordingId, version],
    staleTime: Infinity,
    enabled: version !== null,
    queryFn: async (): Promise<Transcript> =>
      (await unwrap(
        api.GET("/v2/recordings/{recording_id}/transcript", {
          params: { path: { recording_id: recordingId }, query: { version: version ?? undefined } },
        }),
      )) as Transcript, // it is text only if WebVTT is requested
  });

export const mediaOf = (recording: Recording): string => `/v2/recordings/${recording.recording_id}/media`;

/** Return the URL of a transcript as WebVTT. */
export const captionsOf = ({ recording_id, transcript_version }: Recording): string =>
  `/v2/recordings/${recording_id}/transcript?format=vtt&version=${transcript_version}`;

/** Reload the room's recordings. */
export const readRecordings = (roomId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: recordingsOf(roomId).queryKey });
