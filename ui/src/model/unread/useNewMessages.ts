import { useState } from "react";
import { placeKey, roomIn, threadIn, type UnreadRoom, type UnreadThread } from "./counts";
import { isBeingRead, isAutoReadSuppressed } from "./visibility";
import { useUnread } from "./useUnread";

interface Line {
  key: string;
  /** The first message below the "New" line; null if there is none. */
  first: string | null;
  isRead: boolean;
}

/**
 * Return the message below the "New" line in a room or thread, and what is unread. The line stays where the first unread
 * message was, also after it was read, until something else becomes unread. Undefined until it is known.
 */
function useLine(
  key: string,
  unread: UnreadRoom | UnreadThread | undefined,
  isKnown: boolean,
  isReading: boolean,
) {
  const [known, setKnown] = useState<Line | null>(null);
  if (!isKnown) return undefined;
  const line = lineOf(known?.key === key ? known : null, key, unread, isReading);
  if (line.key !== known?.key || line.first !== known.first || line.isRead !== known.isRead) setKnown(line);
  return line.first;
}

/** Return the first new message of a room, and how many there are. */
export function useNewMessages(organizationId: string, roomId: string) {
  const { data, isError } = useUnread(organizationId);
  const unread = roomIn(data, roomId);
  const isKnown = data !== undefined || isError;
  const first = useLine(placeKey(roomId, null), unread, isKnown, isBeingRead(roomId, null));
  return { first, unread };
}

/** Return the first new reply of a thread. */
export function useNewReplies(organizationId: string, roomId: string, rootId: string) {
  const { data, isError } = useUnread(organizationId);
  const isKnown = data !== undefined || isError;
  return useLine(
    placeKey(roomId, rootId),
    threadIn(data, roomId, rootId),
    isKnown,
    isBeingRead(roomId, rootId),
  );
}

function lineOf(
  known: Line | null,
  key: string,
  unread: UnreadRoom | UnreadThread | undefined,
  isReading: boolean,
): Line {
  if (!unread) return { key, first: known?.first ?? null, isRead: true };
  if (known && isReading) return known;
  const isOther = !known || known.isRead || isAutoReadSuppressed(key);
  return { key, first: isOther ? unread.first_unread_message_id : known.first, isRead: false };
}
