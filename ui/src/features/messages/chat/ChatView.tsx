import { Button } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { CountBadge } from "@/kit/layout/CountBadge";
import { DropZone } from "@/kit/input/DropZone";
import { Loading } from "@/kit/layout/Loading";
import { useStore } from "@/kit/data/store";
import { outbox } from "@/model/messages/outbox";
import { useRoomContext } from "@/model/messages/roomContext";
import { timelineOf } from "@/model/messages/timelines";
import { readAll } from "@/model/unread/markRead";
import { isAutoReadSuppressed } from "@/model/unread/visibility";
import { useMarkRead } from "@/model/unread/useMarkRead";
import { useNewMessages } from "@/model/unread/useNewMessages";
import { texts } from "@/texts";
import { attach } from "../attachments/pendingAttachments";
import { Composer } from "../composer/Composer";
import { useMessageShortcuts } from "../keyboard/useMessageShortcuts";
import { MessageRow } from "../row/MessageRow";
import { PendingRow } from "../row/PendingRow";
import { lastOwn, rowsOf } from "../row/rows";
import classes from "./ChatView.module.css";
import { LoadError } from "./LoadError";
import { RoomStart } from "./RoomStart";
import { TypingNotice } from "./TypingNotice";
import { useEscapeToRead } from "./useEscapeToRead";
import { useTimeline } from "./useTimeline";
import { useUnreadStart } from "./useUnreadStart";
import { VirtualList, type ListHandle } from "./VirtualList";

const UnreadBar = lazy(() => import("./UnreadBar").then((m) => ({ default: m.UnreadBar })));

interface Props {
  messageId: string | undefined;
  /** The day to jump to, such as "2026-11-21". */
  day?: string;
}

/** A room as a conversation, newest messages at the bottom. */
export function ChatView({ messageId, day }: Props) {
  const { room, personId, canWrite, edit, editingId } = useRoomContext();
  const store = timelineOf(room);
  const { target, visits } = useTimeline(store, room, messageId, day);
  const timeline = useStore(store.timeline);
  const loading = useStore(store.loading);
  const openCount = useStore(store.openCount);
  const { first: firstUnread, unread } = useNewMessages(room.organization_id, room.room_id);
  const [startsAtUnread, setStartsAtUnread] = useState(!messageId && !day);
  const isPlaced = useUnreadStart(store, startsAtUnread && !day ? firstUnread : null);
  const pending = useStore(outbox).filter((each) => each.roomId === room.room_id && each.rootId === null);
  const rows = useMemo(
    () => rowsOf(timeline.messages, firstUnread ?? null),
    [timeline.messages, firstUnread],
  );
  const [isAtEnd, setAtEnd] = useState(true);
  const list = useRef<ListHandle>(null);
  const [isFirstInSight, setFirstInSight] = useState(true);
  const place = { organizationId: room.organization_id, roomId: room.room_id, rootId: null };
  const onAtEnd = useCallback((now: boolean) => {
    setAtEnd(now);
    if (now) setStartsAtUnread(false);
  }, []);

  const toNewest = useCallback(() => {
    setStartsAtUnread(false);
    if (store.timeline.get().atNewest) list.current?.toEnd();
    else void store.openNewest({ reload: true });
  }, [store]);
  useMessageShortcuts();
  useEscapeToRead(room, store, unread, toNewest);
  const editLast = () => {
    const own = lastOwn(rows, personId);
    if (own) edit(own.message_id);
  };
  const targetIndex = rows.findIndex((each) => each.message.message_id === target);
  const editedIndex = rows.findIndex((each) => each.message.message_id === editingId);
  const isLoaded = openCount > 0;
  const isShown = isPlaced && (isLoaded || pending.length > 0) && !(rows.length === 0 && loading.opening);
  const isEndShown = isAtEnd && timeline.atNewest;
  useMarkRead(place, rows.at(-1)?.message.message_id, isShown && isEndShown);
  const start = isLoaded && timeline.older === null ? [<RoomStart key="start" room={room} />] : [];

  const firstIndex = rows.findIndex((each) => each.startsNew);
  const unreadRow = firstIndex >= 0 ? firstIndex + start.length : null;
  const toUnread = () => {
    if (unreadRow !== null) list.current?.toRow(unreadRow);
    else setStartsAtUnread(true);
  };
  const hasBar = unread && isShown && (!isEndShown || isAutoReadSuppressed(room.room_id));

  return (
    <DropZone
      label={texts.attachments.drop}
      enabled={canWrite}
      onFiles={(files) => attach(room.room_id, room.room_id, files)}
    >
      <LoadError store={store} />
      <div className={classes.place}>
        {loading.older && <div className={classes.busy}>{texts.messages.loadingOlder}</div>}
        {((rows.length === 0 && loading.opening) || (isLoaded && !isPlaced)) && <Loading />}
        {hasBar && (
          <Suspense>
            <UnreadBar
              count={unread.unread_count}
              isCapped={unread.capped}
              since={rows[firstIndex]?.message.sent_at}
              onJump={unreadRow !== null && isFirstInSight ? null : toUnread}
              onRead={() => void readAll(place, unread.last_message_id)}
            />
          </Suspense>
        )}
        {isShown && (
          <VirtualList
            key={`${room.room_id} ${openCount} ${target ?? ""} ${visits}`}
            label={texts.rooms.messagesOf(room.name)}
            grewAtStart={timeline.change === "older"}
            hasNewest={timeline.atNewest}
            startAt={targetIndex >= 0 ? targetIndex + start.length : startsAtUnread ? unreadRow : null}
            startAlign={targetIndex >= 0 ? "center" : "start"}
            watched={unreadRow}
            onWatched={setFirstInSight}
            onNearStart={() => void store.loadOlder()}
            onNearEnd={() => void store.loadNewer()}
            onAtEnd={onAtEnd}
            keepMounted={editedIndex >= 0 ? [editedIndex + start.length] : undefined}
            ref={list}
          >
            {[
              ...start,
              ...rows.map((row) => (
                <MessageRow
                  key={row.message.message_id}
                  row={row}
                  isMarked={row.message.message_id === target}
                />
              )),
              ...pending.map((each) => <PendingRow key={each.key} pending={each} />),
            ]}
          </VirtualList>
        )}
        {!isEndShown && rows.length > 0 && (
          <Button
            className={classes.newest}
            size="compact-sm"
            radius="xl"
            leftSection={<ArrowDown size={15} aria-hidden />}
            onClick={toNewest}
          >
            {texts.messages.toNewest}
            {unread && (
              <span className={classes.newCount}>
                <CountBadge
                  count={unread.unread_count}
                  isCapped={unread.capped}
                  label={texts.unread.count(unread.unread_count, unread.mention_count)}
                />
              </span>
            )}
          </Button>
        )}
      </div>
      {canWrite ? (
        <Composer
          key={room.room_id}
          room={room}
          rootId={null}
          label={texts.composer.messageTo(room.name)}
          onSent={toNewest}
          onArrowUp={editLast}
          autoFocus={!messageId && !day && matchMedia("(hover: hover)").matches}
        />
      ) : (
        <p className={classes.closed}>{room.archived_at ? texts.rooms.isArchived : texts.rooms.readOnly}</p>
      )}
      <TypingNotice room={room} personId={personId} />
    </DropZone>
  );
}
