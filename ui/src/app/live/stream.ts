import { Store } from "@/kit/data/store";
import { EventReader, type ServerEvent } from "./parse";

export type Connection = "connecting" | "open" | "lost";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server sends a comment every 15 seconds; after a longer silence the connection counts as lost. */
const SILENCE_MS = 40_000;

interface Options {
  url: string;
  /** Receives the events; `hello` only if the stream starts over, not if it resumes after the last event. */
  onEvent: (event: ServerEvent) => void;
  onSignedOut: () => void;
  fetch?: typeof fetch;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A connection to the server's live events, which resumes after the last event when it breaks. */
export class LiveStream {
  readonly connection = new Store<Connection>("connecting");
  private lastId = "";
  private readonly ended = new AbortController();
  private wake: (() => void) | null = null;
  private open: AbortController | null = null;

  constructor(private readonly options: Options) {}

  async run(): Promise<void> {
    let failures = 0;
    while (!this.ended.signal.aborted) {
      const began = await this.connect();
      if (this.ended.signal.aborted) return;
      failures = began ? 0 : failures + 1;
      this.connection.set("lost");
      await this.pause(pauseAfter(failures, Math.random()));
    }
  }

  /** Reconnect now: the network is back or the page is visible. */
  readonly hurry = (): void => this.wake?.();

  /** The network is gone; an open connection may not have noticed. */
  readonly cut = (): void => this.open?.abort();

  stop(): void {
    this.ended.abort();
    this.wake?.();
  }

  /** Connect and read events. Return whether the connection was open. */
  private async connect(): Promise<boolean> {
    const silence = (this.open = new AbortController());
    const signal = AbortSignal.any([this.ended.signal, silence.signal]);
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const resumes = this.lastId !== "";
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (resumes) headers["Last-Event-ID"] = this.lastId;
      const answer = await (this.options.fetch ?? fetch)(this.options.url, {
        headers,
        signal,
        cache: "no-store",
      });
      if (answer.status === 401) {
        this.stop();
        this.options.onSignedOut();
      }
      if (!answer.ok || !answer.body) return false;
      this.connection.set("open");
      const reader = new EventReader();
      const texts = answer.body.pipeThrough(
        new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>,
      );
      for await (const text of chunksOf(texts)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        for (const event of reader.read(text)) this.take(event, resumes);
      }
      return true;
    } catch {
      return this.connection.get() === "open";
    } finally {
      clearTimeout(timer);
    }
  }

  private take(event: ServerEvent, resumes: boolean): void {
    this.lastId = event.id;
    if (event.data && !(resumes && event.event === "hello")) this.options.onEvent(event);
  }

  private async pause(ms: number): Promise<void> {
    const timed =
      this.options.pause?.(ms, this.ended.signal) ?? new Promise<void>((done) => setTimeout(done, ms));
    await Promise.race([timed, new Promise<void>((done) => (this.wake = done))]);
    this.wake = null;
  }
}

async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Return the time to wait after `failures` in a row, with jitter so that clients do not all reconnect together. */
export function pauseAfter(failures: number, chance: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(failures - 1, 0), LONGEST_PAUSE_MS);
  return longest / 2 + (longest / 2) * chance;
}
