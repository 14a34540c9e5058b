import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { placeKey, roomIn, threadIn, type Unread, type UnreadRoom, type UnreadThread } from "./counts";
import { isBeingRead, isAutoReadSuppressed } from "./visibility";
import { unreadOf } from "./useUnread";

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
  const [line, setLine] = useState<Line | null>(null);
  const known = line?.key === key ? line : null;
  if (!known && !isKnown) return undefined;
  const next = lineOf(known, key, unread, isReading);
  if (next.key !== line?.key || next.first !== line.first || next.isRead !== line.isRead) setLine(next);
  return next.first;
}

/**
 * Return what is unread in a room or thread, and whether that is known. It is not while messages are counted that have
 * just arrived. A view that opens starts no count.
 */
function useCounted<T>(organizationId: string, find: (all: Unread | undefined) => T | undefined) {
  const { data, isError, isFetching, failureCount } = useQuery({
    ...unreadOf(organizationId),
    refetchOnMount: false,
  });
  const unread = find(data);
  const isCounting = isFetching && failureCount === 0;
  return { unread, isKnown: isError || unread !== undefined || (data !== undefined && !isCounting) };
}

/** Return the first new message of a room, and how many there are. */
export function useNewMessages(organizationId: string, roomId: string) {
  const { unread, isKnown } = useCounted(organizationId, (all) => roomIn(all, roomId));
  const first = useLine(placeKey(roomId, null), unread, isKnown, isBeingRead(roomId, null));
  return { first, unread };
}

/** Return the first new reply of a thread. */
export function useNewReplies(organizationId: string, roomId: string, rootId: string) {
  const { unread, isKnown } = useCounted(organizationId, (all) => threadIn(all, roomId, rootId));
  return useLine(placeKey(roomId, rootId), unread, isKnown, isBeingRead(roomId, rootId));
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
