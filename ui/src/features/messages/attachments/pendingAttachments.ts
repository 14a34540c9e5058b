import { messageOf } from "@/api/refusal";
import { say } from "@/kit/notices";
import { Store } from "@/kit/store";
import { nameFor, upload } from "@/model/uploads/upload";
import { texts } from "@/texts";

/** A file that is to go with a message which is being written. */
export interface Attaching {
  key: string;
  roomId: string;
  /** The thread that the message is written to, or the room. */
  place: string;
  file: File;
  /** Where the browser shows it from, for pictures. */
  preview: string | null;
  sent: number;
  /** What it became, once the server has all of it. */
  attachmentId: string | null;
  failed: string | null;
}

export const MOST_FILES = 10;
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const attaching = new Store<Attaching[]>([]);
const ends = new Map<string, AbortController>();

/** Take files for the message that is written at `place`; they are sent at once. */
export function attach(roomId: string, place: string, files: Iterable<File>): void {
  const room = MOST_FILES - attaching.get().filter((each) => each.place === place).length;
  const all = [...files];
  if (all.length > room) say(texts.attachments.tooMany(MOST_FILES), { trouble: true });
  const taken = all.slice(0, room).map((file) => ({
    key: crypto.randomUUID(),
    roomId,
    place,
    file,
    preview: PICTURES.has(file.type) ? URL.createObjectURL(file) : null,
    sent: 0,
    attachmentId: null,
    failed: null,
  }));
  attaching.update((known) => [...known, ...taken]);
  for (const each of taken) void carry(each);
}

export function attachAgain(one: Attaching): void {
  change(one.key, { failed: null, sent: 0 });
  void carry(one);
}

export function detach({ key, preview }: Attaching): void {
  ends.get(key)?.abort();
  if (preview) URL.revokeObjectURL(preview);
  attaching.update((known) => known.filter((each) => each.key !== key));
}

/** The files at `place` go with a message now, and are not waiting any more. */
export function takeAttached(place: string): Attaching[] {
  const taken = attaching.get().filter((each) => each.place === place);
  for (const { preview } of taken) if (preview) URL.revokeObjectURL(preview);
  attaching.update((known) => known.filter((each) => each.place !== place));
  return taken;
}

export function forgetAttached(): void {
  for (const each of attaching.get()) detach(each);
}

async function carry({ key, roomId, file }: Attaching): Promise<void> {
  const end = new AbortController();
  ends.set(key, end);
  const onSent = (sent: number) => change(key, { sent });
  const name = nameFor(file);
  try {
    const wanted = { roomId, kind: "attachment" as const, name, file, onSent, signal: end.signal };
    change(key, { attachmentId: await upload(wanted) });
  } catch (error) {
    if (!end.signal.aborted) change(key, { failed: messageOf(error) });
  } finally {
    ends.delete(key);
  }
}

function change(key: string, what: Partial<Attaching>): void {
  attaching.update((known) => known.map((each) => (each.key === key ? { ...each, ...what } : each)));
}
