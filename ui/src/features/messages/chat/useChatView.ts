import { useCallback, useMemo, useRef, useState, useEffect } from "react";
import { useStore } from "@/kit/data/store";
import { outbox } from "@/model/messages/outbox";
import { useRoomContext } from "@/model/messages/roomContext";
import { timelineOf } from "@/model/messages/timelines";
import { useMarkRead } from "@/model/unread/useMarkRead";
import { useNewMessages } from "@/model/unread/useNewMessages";
import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";
import { useShortcuts } from "@/kit/input/shortcuts";
import type { TimelineStore } from "@/model/messages/timelineStore";
import type { Room } from "@/model/rooms/queries";
import type { UnreadRoom } from "@/model/unread/counts";
import { markUnread, readAll } from "@/model/unread/markRead";
import { isAutoReadSuppressed } from "@/model/unread/visibility";
import { texts } from "@/texts";
import { queryClient } from "@/api/queryClient";
import { rowsOf, type Row } from "../row/rows";
import { useTimeline, oneMessage } from "./useTimeline";
import type { ListHandle } from "./VirtualList";

/** Return a room's history as a list, what of it is unread, and how the reader moves in it. */
export function useChatView(messageId: string | undefined, day: string | undefined) {
  const { room, editingId } = useRoomContext();
  const { organization_id: organizationId, room_id: roomId } = room;
  const store = timelineOf(room);
  const { target, visits } = useTimeline(store, room, messageId, day);
  const timeline = useStore(store.timeline);
  const loading = useStore(store.loading);
  const openCount = useStore(store.openCount);
  const pending = useStore(outbox).filter((each) => each.roomId === roomId && each.rootId === null);
  const { first: firstUnread, unread } = useNewMessages(organizationId, roomId);
  const rows = useMemo(
    () => rowsOf(timeline.messages, firstUnread ?? null),
    [timeline.messages, firstUnread],
  );
  const list = useRef<ListHandle>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const [isFirstInSight, setFirstInSight] = useState(true);
  const [startsAtUnread, setStartsAtUnread] = useState(!messageId && !day);
  const isPlaced = useUnreadStart(store, startsAtUnread && !day ? firstUnread : null);
  const isLoaded = openCount > 0;
  const isOpening = rows.length === 0 && loading.opening;
  const isShown = isPlaced && !isOpening && (isLoaded || pending.length > 0);
  const isEndShown = isAtEnd && timeline.atNewest;
  useMarkRead(
    { organizationId, roomId, rootId: null },
    rows.at(-1)?.message.message_id,
    isShown && isEndShown,
  );

  const toNewest = useCallback(() => {
    setStartsAtUnread(false);
    if (store.timeline.get().atNewest) list.current?.toEnd();
    else void store.openNewest({ reload: true });
  }, [store]);
  useEscapeToRead(room, store, unread, toNewest);
  const onAtEnd = useCallback((now: boolean) => {
    setAtEnd(now);
    if (now) setStartsAtUnread(false);
  }, []);
  const start = isLoaded && timeline.older === null ? 1 : 0; // what is above the first message of the room
  const indexOf = (isWanted: (row: Row) => boolean): number | null => {
    const at = rows.findIndex(isWanted);
    return at < 0 ? null : at + start;
  };
  const watched = indexOf((each) => each.startsNew);
  const targetIndex = indexOf((each) => each.message.message_id === target);
  const editedIndex = indexOf((each) => each.message.message_id === editingId);
  const toUnread = () => {
    if (watched !== null) list.current?.toRow(watched);
    else setStartsAtUnread(true);
  };
  return {
    store,
    rows,
    pending,
    target,
    unread,
    hasStart: start > 0,
    isShown,
    isEndShown,
    isLoadingOlder: loading.older,
    isWaiting: isOpening || (isLoaded && !isPlaced),
    toNewest,
    /** Null while the first unread message is visible. */
    toUnread: watched !== null && isFirstInSight ? null : toUnread,
    /** Another one is another list, which starts at its place. */
    listKey: `${roomId} ${openCount} ${target ?? ""} ${visits}`,
    list: {
      ref: list,
      grewAtStart: timeline.change === "older",
      hasNewest: timeline.atNewest,
      startAt: targetIndex ?? (startsAtUnread ? watched : null),
      startAlign: targetIndex === null ? ("start" as const) : ("center" as const),
      watched,
      onWatched: setFirstInSight,
      onNearStart: () => void store.loadOlder(),
      onNearEnd: () => void store.loadNewer(),
      onAtEnd,
      keepMounted: editedIndex === null ? undefined : [editedIndex],
    },
  };
}

export type Chat = ReturnType<typeof useChatView>;

/**
 * With Escape, go to the newest message and mark the room as read. A notice says so and can undo it: Escape is often
 * pressed once more than needed. What the reader has marked as unread stays so.
 */
function useEscapeToRead(
  room: Room,
  store: TimelineStore,
  unread: UnreadRoom | undefined,
  toNewest: () => void,
): void {
  const { organization_id: organizationId, room_id: roomId } = room;
  const undo = (messageId: string) =>
    void markUnread(organizationId, {
      room_id: roomId,
      thread_root_id: null,
      message_id: messageId,
    }).catch((error: unknown) => showNotice(messageOf(error), { isError: true }));
  const read = async () => {
    toNewest();
    await store.whenOpened();
    if (store.loading.get().error) return;
    const newest = store.timeline.get().messages.at(-1);
    if (!newest) return;
    if (unread) {
      const onAct = () => undo(unread.first_unread_message_id);
      showNotice(texts.unread.markedRead, { action: { label: texts.unread.undo, onAct } });
    }
    await readAll({ organizationId, roomId, rootId: null }, newest.message_id);
  };
  useShortcuts({ markRead: () => !isAutoReadSuppressed(roomId) && void read() });
}

/**
 * Load the part of the history that has the first unread message. Return whether the list can be shown: it starts there,
 * so it waits until it is known what is unread.
 */
function useUnreadStart(store: TimelineStore, firstUnread: string | null | undefined): boolean {
  const { messages, older } = useStore(store.timeline);
  const [hasFailed, setFailed] = useState(false);
  const oldest = messages[0];
  const isBefore = firstUnread && oldest !== undefined && older !== null && firstUnread < oldest.message_id;
  const missing = isBefore ? firstUnread : null;
  useEffect(() => {
    if (!missing) return;
    queryClient
      .fetchQuery(oneMessage(store.roomId, missing))
      .then((message) => store.openAt(message))
      .catch(() => setFailed(true)); // the newest messages are shown instead
  }, [store, missing]);
  return firstUnread !== undefined && (missing === null || hasFailed);
}
