import { messageOf } from "@/api/errors";
import { queryClient } from "@/api/queryClient";
import { showNotice } from "@/kit/overlay/notices";
import { Store } from "@/kit/data/store";
import { nameFor, uploadTo } from "@/model/uploads/upload";
import { imports } from "@/texts/imports";
import { importsKey } from "./queries";

/** The upload of an export by this page. It continues while other pages are shown. */
export interface Uploading {
  organizationId: string;
  name: string;
  size: number;
  sent: number;
  end: AbortController;
}

export const uploading = new Store<Uploading | null>(null);

const ZIP = [0x50, 0x4b, 0x03, 0x04];

export async function isZip(file: Blob): Promise<boolean> {
  const begins = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return ZIP.every((byte, nr) => begins[nr] === byte);
}

/** Upload an export. The server checks it when it is complete. */
export async function uploadExport(organizationId: string, spaceId: string, file: File): Promise<void> {
  const name = nameFor(file);
  const end = new AbortController();
  uploading.set({ organizationId, name, size: file.size, sent: 0, end });
  addEventListener("beforeunload", warn);
  try {
    await uploadTo({
      endpoint: `/v1/organizations/${organizationId}/imports?space_id=${spaceId}`,
      metadata: { filename: name },
      isResumable: true,
      file,
      onSent: (sent) => uploading.update((known) => known && { ...known, sent }),
      signal: end.signal,
    });
  } catch (error) {
    const why = imports.failedUpload(name, messageOf(error));
    if (!end.signal.aborted) showNotice(why, { isError: true });
  } finally {
    removeEventListener("beforeunload", warn);
    await queryClient.invalidateQueries({ queryKey: importsKey(organizationId) });
    uploading.set(null);
  }
}

/** Have the browser ask before the page closes during an upload. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
