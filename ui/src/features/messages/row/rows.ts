import { dayKey } from "@/kit/text/times";
import type { Message } from "@/model/messages/history";

const TOGETHER_MS = 5 * 60_000;

/** A row of the list: a message, the separators above it, and whether it continues the previous message. */
export interface Row {
  message: Message;
  startsDay: boolean;
  startsNew: boolean;
  isContinued: boolean;
  /** Above the first reply of a thread: the number of replies. */
  replies?: number;
}

/** Return the rows of a thread: the root message, then the replies; "New" is shown above `firstUnreadId`. */
export function rowsOfThread(root: Message, replies: Message[], firstUnreadId: string | null): Row[] {
  const [head, ...others] = rowsOf([root, ...replies], firstUnreadId);
  const below = others.map((row, index) =>
    index === 0 ? { ...row, startsDay: false, isContinued: false, replies: replies.length } : row,
  );
  return head ? [head, ...below] : below;
}

/** Return the last message of the reader that can be edited. */
export function lastOwn(rows: Row[], personId: string): Message | undefined {
  return rows.findLast(({ message }) => message.user_id === personId && message.status === "SENT")?.message;
}

/** Return the rows of a timeline; "New" is shown above `firstUnreadId`. */
export function rowsOf(messages: Message[], firstUnreadId: string | null): Row[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const startsDay = !before || dayKey(before.sent_at) !== dayKey(message.sent_at);
    const startsNew =
      firstUnreadId !== null &&
      message.message_id >= firstUnreadId &&
      (before ? before.message_id < firstUnreadId : message.message_id === firstUnreadId);
    const isContinued = !startsDay && !startsNew && before !== undefined && continues(before, message);
    return { message, startsDay, startsNew, isContinued };
  });
}

function continues(before: Message, message: Message): boolean {
  return (
    before.user_id === message.user_id &&
    before.status === message.status &&
    before.reply_count === 0 &&
    Date.parse(message.sent_at) - Date.parse(before.sent_at) < TOGETHER_MS
  );
}
