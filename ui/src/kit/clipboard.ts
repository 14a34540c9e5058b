import { texts } from "@/texts";
import { showNotice } from "./notices";

/** Copy a text to the clipboard and show `done`; show an error where the browser does not allow it. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice(done);
  } catch {
    showNotice(texts.app.notCopied, { isError: true });
  }
}
