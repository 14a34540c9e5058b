import { messageOf } from "@/api/errors";
import type { BlockType, Content } from "@/model/blocks/content";
import { nameFor, upload } from "@/model/uploads/upload";
import type { PageEditor } from "./pageEditor";

const ends = new Map<string, AbortController>();
const files = new Map<string, File>();

/** Add files to the page under a row, each as a block that shows how much of it is uploaded. */
export function addFiles(editor: PageEditor, roomId: string, after: string | null, chosen: File[]): void {
  let above = after;
  for (const file of chosen) {
    const type = file.type.startsWith("image/") ? "image" : "file";
    above = editor.add(above, { type, content: {} });
    void uploadInto(editor, roomId, above, file);
  }
}

/** Upload a file into a block. The file stays with the block until it is uploaded, to try again. */
export async function uploadInto(editor: PageEditor, roomId: string, key: string, file: File): Promise<void> {
  const end = new AbortController();
  ends.set(key, end);
  files.set(key, file);
  const name = nameFor(file);
  const show = (sent: number, problem = "") =>
    editor.patch(key, { upload: { name, size: file.size, sent, problem } });
  show(0);
  try {
    const wanted = { roomId, kind: "attachment" as const, name, file, onSent: show, signal: end.signal };
    const attachmentId = await upload(wanted);
    files.delete(key);
    editor.patch(key, { upload: null });
    editor.write(key, {
      content: contentOf(editor.find(key)?.type ?? "file", attachmentId, name, file.size),
    });
    await editor.settle(key);
  } catch (error) {
    if (!end.signal.aborted) show(0, messageOf(error));
  } finally {
    if (ends.get(key) === end) ends.delete(key);
  }
}

export function uploadAgain(editor: PageEditor, roomId: string, key: string): void {
  const file = files.get(key);
  if (file) void uploadInto(editor, roomId, key, file);
}

export function cancelUpload(editor: PageEditor, key: string): void {
  ends.get(key)?.abort();
  files.delete(key);
  editor.drop(key);
}

function contentOf(type: BlockType, attachmentId: string, name: string, size: number): Content {
  const url = `${location.origin}/v2/attachments/${attachmentId}/content`;
  return type === "image"
    ? { url, attachment_id: attachmentId }
    : { url, attachment_id: attachmentId, name, size };
}
