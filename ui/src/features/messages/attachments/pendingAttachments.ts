import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";
import { Store } from "@/kit/data/store";
import { nameFor, upload } from "@/model/uploads/upload";
import { texts } from "@/texts";

/** A file attached to a message that is being written. */
export interface PendingAttachment {
  key: string;
  roomId: string;
  /** The thread or room that the message is for. */
  place: string;
  file: File;
  /** For pictures, the URL of the preview. */
  preview: string | null;
  sent: number;
  /** The attachment, once the upload is complete. */
  attachmentId: string | null;
  failed: string | null;
}

export const MAX_FILES = 10;
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const pendingAttachments = new Store<PendingAttachment[]>([]);
const ends = new Map<string, AbortController>();

/** Attach files to the message that is being written at `place`, and start uploading them. */
export function attach(roomId: string, place: string, files: Iterable<File>): void {
  const room = MAX_FILES - pendingAttachments.get().filter((each) => each.place === place).length;
  const all = [...files];
  if (all.length > room) showNotice(texts.attachments.tooMany(MAX_FILES), { isError: true });
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
  pendingAttachments.update((known) => [...known, ...taken]);
  for (const each of taken) void transfer(each);
}

export function retryAttachment(one: PendingAttachment): void {
  change(one.key, { failed: null, sent: 0 });
  void transfer(one);
}

export function detach({ key, preview }: PendingAttachment): void {
  ends.get(key)?.abort();
  if (preview) URL.revokeObjectURL(preview);
  pendingAttachments.update((known) => known.filter((each) => each.key !== key));
}

/** Remove and return the files at `place`, because they go with a message now. */
export function takeAttachments(place: string): PendingAttachment[] {
  const taken = pendingAttachments.get().filter((each) => each.place === place);
  for (const { preview } of taken) if (preview) URL.revokeObjectURL(preview);
  pendingAttachments.update((known) => known.filter((each) => each.place !== place));
  return taken;
}

export function forgetAttachments(): void {
  for (const each of pendingAttachments.get()) detach(each);
}

async function transfer({ key, roomId, file }: PendingAttachment): Promise<void> {
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

function change(key: string, what: Partial<PendingAttachment>): void {
  pendingAttachments.update((known) => known.map((each) => (each.key === key ? { ...each, ...what } : each)));
}
