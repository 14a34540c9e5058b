import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";
import { Store } from "@/kit/data/store";
import { nameFor, upload } from "@/model/uploads/upload";
import { recordings } from "@/texts/recordings";
import { readRecordings } from "./queries";

/** An upload of a recording. It continues while other pages are shown. */
export interface Uploading {
  key: string;
  roomId: string;
  name: string;
  file: Blob;
  sent: number;
  failed: string | null;
}

export const uploads = new Store<Uploading[]>([]);
const ends = new Map<string, AbortController>();

export function startUpload(roomId: string, file: Blob, name: string): void {
  const one: Uploading = {
    key: crypto.randomUUID(),
    roomId,
    name: nameFor({ name }),
    file,
    sent: 0,
    failed: null,
  };
  uploads.update((known) => [...known, one]);
  void transfer(one);
}

export function uploadAgain(one: Uploading): void {
  change(one.key, { failed: null });
  void transfer(one);
}

export function cancelUpload({ key }: Uploading): void {
  ends.get(key)?.abort();
  uploads.update((known) => known.filter((each) => each.key !== key));
}

export function forgetUploads(): void {
  for (const each of uploads.get()) cancelUpload(each);
}

async function transfer(one: Uploading): Promise<void> {
  const end = new AbortController();
  ends.set(one.key, end);
  addEventListener("beforeunload", warn);
  const onSent = (sent: number) => change(one.key, { sent });
  try {
    const { roomId, name, file } = one;
    await upload({ roomId, kind: "recording", name, file, onSent, signal: end.signal });
    await readRecordings(roomId);
    uploads.update((known) => known.filter((each) => each.key !== one.key));
    showNotice(recordings.uploads.done(name));
  } catch (error) {
    if (!end.signal.aborted) change(one.key, { failed: messageOf(error) });
  } finally {
    ends.delete(one.key);
    if (ends.size === 0) removeEventListener("beforeunload", warn);
  }
}

/** Have the browser ask before the page closes during an upload. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function change(key: string, what: Partial<Uploading>): void {
  uploads.update((known) => known.map((each) => (each.key === key ? { ...each, ...what } : each)));
}
