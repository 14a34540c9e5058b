/** What can be recorded in a browser. */
export const SOURCES = ["camera", "screen", "sound"] as const;
export type Source = (typeof SOURCES)[number];

const FILM = ["video/webm;codecs=vp9,opus", "video/webm;codecs=vp8,opus", "video/webm", "video/mp4"];
const SOUND = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];

export const canRecord = (): boolean =>
  typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

/** Return the first media type that this browser can record; undefined to let it choose. */
export function typeFor(source: Source, isKnown: (type: string) => boolean): string | undefined {
  return (source === "sound" ? SOUND : FILM).find(isKnown);
}

/** Ask for permission and open the media streams. Throws the browser's errors. */
export async function open(source: Source): Promise<MediaStream> {
  const { mediaDevices } = navigator;
  if (source === "sound") return mediaDevices.getUserMedia({ audio: true });
  if (source === "camera") return mediaDevices.getUserMedia({ audio: true, video: true });
  const screen = await mediaDevices.getDisplayMedia({ audio: true, video: true });
  try {
    return mixAudio(screen, await mediaDevices.getUserMedia({ audio: true }));
  } catch {
    return screen; // record the screen without a microphone
  }
}

/** Mix the screen's audio and the microphone's. */
function mixAudio(screen: MediaStream, microphone: MediaStream): MediaStream {
  const sounds = [screen, microphone].filter((each) => each.getAudioTracks().length > 0);
  const mixer = new AudioContext();
  const mixed = mixer.createMediaStreamDestination();
  for (const each of sounds) mixer.createMediaStreamSource(each).connect(mixed);
  const [picture] = screen.getVideoTracks();
  picture?.addEventListener("ended", () => void mixer.close());
  return new CombinedStream(
    [...screen.getVideoTracks(), ...mixed.stream.getAudioTracks()],
    [screen, microphone],
  );
}

/** A stream combined from others, which are closed with it. */
class CombinedStream extends MediaStream {
  constructor(
    tracks: MediaStreamTrack[],
    readonly parts: MediaStream[],
  ) {
    super(tracks);
  }
}

/** Release the camera, the microphone and the screen. */
export function close(stream: MediaStream): void {
  const parts = stream instanceof CombinedStream ? stream.parts : [];
  for (const each of [stream, ...parts]) for (const track of each.getTracks()) track.stop();
}
