import { texts } from "@/texts";
import { showNotice } from "../overlay/notices";

/** Copy a text to the clipboard and show `done`; show an error where the browser does not allow it. */
export async function copy(text: string, done: string): Promise<void> {
  if (await writeClipboard(text)) showNotice(done);
}

/** Copy a text to the clipboard. Return whether it worked; if not, an error is shown. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    if ("clipboard" in navigator) await navigator.clipboard.writeText(text);
    else if (!copyByEvent(text)) throw new Error("not copied");
    return true;
  } catch {
    showNotice(texts.app.notCopied, { isError: true });
    return false;
  }
}

/** Copy without the Clipboard API, which browsers offer only on HTTPS and localhost. */
function copyByEvent(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", put, { once: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", put);
  return isDone;
}
