import { highlight, loadGrammar } from "./highlight";

/** Highlights code outside the page's thread, which stays free for typing. Posts "loaded", then the tokens. */
addEventListener("message", ({ data }: MessageEvent<{ language: string; code: string }>) => {
  void answer(data.language, data.code);
});

async function answer(language: string, code: string): Promise<void> {
  try {
    await loadGrammar(language);
    postMessage("loaded");
    postMessage(highlight(language, code));
  } catch {
    postMessage(null); // the grammar could not be loaded
  }
}
