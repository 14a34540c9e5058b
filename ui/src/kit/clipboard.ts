import { texts } from "@/texts";
import { say } from "./notices";

/** Copy a text to the clipboard and show `done`; show an error where the browser does not allow it. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(texts.app.notCopied, { trouble: true });
  }
}
