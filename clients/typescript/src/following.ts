import { isAfter, type Position } from "./position.js";
import type { LiveEvent, Message } from "./types.js";

/**
 * Yield the messages after a position as they are sent. Events only say that there is something to read: the messages
 * come from the history, by position, so that neither a lost connection nor a `reset` loses or repeats one.
 */
export async function* newMessages(
  events: AsyncGenerator<LiveEvent, void, undefined>,
  after: Position | undefined,
  newer: (at: Position | undefined) => AsyncGenerator<Message, void, undefined>,
  rootId?: string,
): AsyncGenerator<Message, void, undefined> {
  let at = after;
  for await (const event of events) {
    if (!startsStream(event) && !isNew(event, at, rootId)) continue;
    for await (const message of newer(at)) {
      at = message;
      yield message;
    }
  }
}

/** Return whether a stream starts with this event: messages before it may be missing. */
function startsStream({ event }: LiveEvent): boolean {
  return event === "hello" || event === "reset";
}

/** Return whether the event is a message after the position (in the thread, if given). */
function isNew(event: LiveEvent, at: Position | undefined, rootId: string | undefined): boolean {
  if (event.event !== "message.sent") return false;
  return isAfter(event.data, at) && (rootId === undefined || event.data.thread_root_id === rootId);
}
