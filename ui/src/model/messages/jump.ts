import type { Message } from "./history";

/** A place in a room's history between messages. */
export type Position = Pick<Message, "sent_at" | "message_id">;

/** Return the position before everything that was sent at or after a time: ids of messages begin with their time. */
export function positionAt(ms: number): Position {
  const time = ms.toString(16).padStart(12, "0");
  return {
    sent_at: new Date(ms).toISOString(),
    message_id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`,
  };
}

/**
 * Return the message that a jump to a day shows: the first one of the day, or else the last one before it, or else
 * the first one of the room. Messages are oldest first; undefined without any.
 */
export function landingOn(messages: Message[], day: { start: number; end: number }): Message | undefined {
  const next = messages.findIndex((each) => Date.parse(each.sent_at) >= day.start);
  if (next < 0) return messages.at(-1);
  const found = messages[next];
  const isOnDay = found !== undefined && Date.parse(found.sent_at) < day.end;
  return isOnDay || next === 0 ? found : messages[next - 1];
}
