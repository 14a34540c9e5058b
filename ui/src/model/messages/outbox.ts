import { api } from "@/api/client";
import { unwrap, messageOf, ApiError } from "@/api/errors";
import { Store } from "@/kit/data/store";
import { publishMessage, publishReply } from "./timelines";
import type { Message } from "./history";

/** An uploaded file of a message that is being sent. */
export interface OutboxFile {
  attachment_id: string;
  name: string;
}

/** A message on its way to the server. */
export interface Pending {
  key: string;
  roomId: string;
  rootId: string | null;
  text: string;
  attachments: OutboxFile[];
  startedAt: string;
  failed: string | null;
}

const TRIES = 6;

/** The messages that the server has not confirmed yet, in the order they were written. */
export const outbox = new Store<Pending[]>([]);

/** Warn before leaving the page, which would lose unsent messages. */
globalThis.addEventListener?.("beforeunload", (event) => {
  if (outbox.get().length > 0) event.preventDefault();
});

let line: Promise<void> = Promise.resolve();

/** Send a message: show it immediately, and retry with the same idempotency key until the server has it. */
export function send(
  roomId: string,
  rootId: string | null,
  text: string,
  attachments: OutboxFile[] = [],
): void {
  const startedAt = new Date().toISOString();
  const key = crypto.randomUUID();
  const pending: Pending = { key, roomId, rootId, text, attachments, startedAt, failed: null };
  outbox.update((known) => [...known, pending]);
  enqueue(pending);
}

export function sendAgain(pending: Pending): void {
  outbox.update((known) =>
    known.map((each) => (each.key === pending.key ? { ...each, failed: null } : each)),
  );
  enqueue(pending);
}

export function discard(pending: Pending): void {
  outbox.update((known) => known.filter((each) => each.key !== pending.key));
}

/** Remove a message that arrived by the live stream, possibly before the response to sending it. */
export function confirmSent(message: Message): void {
  const pending = outbox
    .get()
    .find(
      (each) =>
        each.roomId === message.room_id &&
        each.rootId === message.thread_root_id &&
        each.text === message.text &&
        idsOf(each.attachments) === idsOf(message.attachments),
    );
  if (pending && !pending.failed) discard(pending);
}

/** Send one message at a time, to keep their order. */
function enqueue(pending: Pending): void {
  line = line.then(() => sendWithRetries(pending));
}

async function sendWithRetries(pending: Pending): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      const sent = await postMessage(pending);
      publishMessage(sent);
      if (sent.thread_root_id) publishReply(sent);
      return discard(pending);
    } catch (error) {
      const passing = error instanceof ApiError && error.isTransient && tried < TRIES;
      if (!passing) return markFailed(pending, messageOf(error));
      await new Promise((done) =>
        setTimeout(done, error.retryAfter * 1000 || Math.min(500 * 2 ** tried, 8000)),
      );
    }
  }
}

const idsOf = (files: { attachment_id: string }[]): string => files.map((each) => each.attachment_id).join();

function postMessage({ key, roomId, rootId, text, attachments }: Pending): Promise<Message> {
  const params = { path: { room_id: roomId }, header: { "Idempotency-Key": key } };
  const files = attachments.map((each) => each.attachment_id);
  const body = { text, attachments: files, ...(rootId ? { parent_id: rootId } : {}) };
  return unwrap(api.POST("/v2/rooms/{room_id}/messages", { params, body }));
}

function markFailed(pending: Pending, failed: string): void {
  outbox.update((known) => known.map((each) => (each.key === pending.key ? { ...each, failed } : each)));
}
