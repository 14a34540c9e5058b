import { errorForStatus, UnexpectedResponse, Unreachable } from "./errors.js";
import { type EventBlock, EventReader, liveEvent } from "./events.js";
import { type Http, targetOf } from "./http.js";
import { sleep, TimeLimit } from "./limits.js";
import { backoff, type Retries, waitBeforeReconnect } from "./retries.js";
import type { LiveEvent } from "./types.js";

const SILENCE = 45; // seconds; the server sends a heartbeat every 15
const RECONNECT = 1; // seconds, unless the stream says otherwise

export interface ListenOptions {
  /** The id of the last event that you processed: the stream continues after it, within a day. */
  lastEventId?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
}

/** Yield live events until the signal is aborted; reconnect when needed. Throws APIError, Unreachable. */
export async function* listen(
  http: Http,
  retries: () => Retries,
  query: object,
  { lastEventId, signal }: ListenOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let last = lastEventId;
  let failures = 0;
  let reconnect = RECONNECT;
  while (!signal?.aborted) {
    let wait: number | null = backoff(retries(), failures);
    try {
      for await (const block of blocksOf(http, query, last, signal)) {
        reconnect = block.retry ?? reconnect;
        [last, failures, wait] = [block.id || last, 0, reconnect];
        if (block.data !== null) yield liveEvent(block);
      }
    } catch (error) {
      if (signal?.aborted) return;
      wait = waitBeforeReconnect(retries(), error, failures);
      if (wait === null) throw error;
    }
    failures += 1;
    await sleep(wait, signal).catch(() => undefined);
  }
}

/** Connect once and yield events until the connection ends. */
async function* blocksOf(
  http: Http,
  query: object,
  last: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventBlock, void, undefined> {
  const headers = new Headers({ accept: "text/event-stream", ...(last ? { "last-event-id": last } : {}) });
  const limit = new TimeLimit(SILENCE, signal);
  const reader = new EventReader();
  const decoder = new TextDecoder();
  try {
    for await (const bytes of bytesOf(http, targetOf("/v2/events", {}, query), headers, limit)) {
      yield* reader.read(decoder.decode(bytes, { stream: true }));
    }
  } finally {
    limit.end();
  }
}

/** Yield the bytes of the response; the time limit counts only while this waits for the server. */
async function* bytesOf(
  http: Http,
  target: string,
  headers: Headers,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const response = await reached(http, http.open({ method: "GET", target }, headers, limit.signal));
  if (response.status >= 400) {
    const body = await reached(http, response.text());
    throw errorForStatus(response.status, body, response.headers);
  }
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    throw new UnexpectedResponse(`${http.url} did not return a stream of events`);
  }
  const chunks = response.body.getReader();
  for (;;) {
    limit.restart();
    const { done, value } = await reached(http, chunks.read());
    limit.pause();
    if (done) return;
    yield value;
  }
}

async function reached<T>(http: Http, response: Promise<T>): Promise<T> {
  return await response.catch((error: unknown) => {
    throw new Unreachable(http.url, error);
  });
}
