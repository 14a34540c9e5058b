import type { Message, ReadPage, RoomPage } from "./history";
import type { Position } from "./jump";

export interface Newer {
  messages: Message[];
  atNewest: boolean;
}

/** The first step ahead: the server's default window. A wrong guess costs requests, never a message. */
const STEP_MS = 10 * 86_400_000;

/**
 * Return the next newer messages, oldest first. Pages go from new to old, so newer messages are read window by
 * window: first the rest of the window of `newest`, then the next window that has messages.
 */
export async function readNewer(read: ReadPage, newest: Position, now: number): Promise<Newer> {
  const own = await readWindowAfter(read, await read({ cursor_sent_at: newest.sent_at }), newest);
  if (own.length > 0) return { messages: own, atNewest: false };
  let at = Date.parse(newest.sent_at);
  for (let step = STEP_MS; at < now; step *= 2) {
    at = Math.min(at + step, now);
    const found = await nextNonEmptyWindow(
      read,
      await read({ cursor_sent_at: new Date(at).toISOString() }),
      newest,
    );
    if (found) return { messages: await readWindowAfter(read, found, newest), atNewest: false };
  }
  return { messages: [], atNewest: true };
}

/** Read windows from `start` back to the one of `newest`; return a page of the earliest one that has newer messages. */
async function nextNonEmptyWindow(
  read: ReadPage,
  start: RoomPage,
  newest: Position,
): Promise<RoomPage | null> {
  let found = isNewer(start, newest) ? start : null;
  let page = start;
  while (Date.parse(page.next_partition_cursor) >= Date.parse(newest.sent_at)) {
    page = await read({ cursor_sent_at: page.next_partition_cursor });
    if (isNewer(page, newest)) found = page;
    else if (page.messages.length > 0) break;
  }
  return found;
}

function isNewer(page: RoomPage, than: Position): boolean {
  const first = page.messages[0];
  return first !== undefined && first.message_id > than.message_id;
}

/** Return the messages in the window of `page` that are newer than `newest`, oldest first. */
async function readWindowAfter(read: ReadPage, page: RoomPage, newest: Position): Promise<Message[]> {
  const found: Message[] = [];
  for (;;) {
    const newer = page.messages.filter((each) => each.message_id > newest.message_id);
    found.push(...newer);
    if (newer.length < page.messages.length || !page.shard_has_more) return found.reverse();
    page = await read({
      cursor_sent_at: page.next_cursor_sent_at ?? undefined,
      cursor_message_id: page.next_cursor_message_id ?? undefined,
    });
  }
}
