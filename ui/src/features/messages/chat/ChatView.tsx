import { Button } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { DropZone } from "@/kit/DropZone";
import { Loading } from "@/kit/Loading";
import { useStore } from "@/kit/store";
import { outbox } from "@/model/messages/outbox";
import { useRoomContext } from "@/model/messages/roomContext";
import { timelineOf } from "@/model/messages/timelines";
import type { Room } from "@/model/rooms/queries";
import { useMarkRead } from "@/model/unread/useMarkRead";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { attach } from "../attachments/pendingAttachments";
import { Composer } from "../composer/Composer";
import { MessageRow } from "../row/MessageRow";
import { PendingRow } from "../row/PendingRow";
import { lastOwn, rowsOf } from "../row/rows";
import classes from "./ChatView.module.css";
import { LoadError } from "./LoadError";
import { RoomStart } from "./RoomStart";
import { TypingNotice } from "./TypingNotice";
import { useTimeline } from "./useTimeline";
import { VirtualList, type ListHandle } from "./VirtualList";

/** A room as a conversation, newest messages at the bottom. */
export function ChatView({ messageId }: { messageId: string | undefined }) {
  const { room, personId, canWrite, edit, editingId } = useRoomContext();
  const store = timelineOf(room);
  const target = useTimeline(store, room, messageId);
  const timeline = useStore(store.timeline);
  const loading = useStore(store.loading);
  const openCount = useStore(store.openCount);
  const firstUnread = useFirstUnread(room);
  const pending = useStore(outbox).filter((each) => each.roomId === room.room_id && each.rootId === null);
  const rows = useMemo(() => rowsOf(timeline.messages, firstUnread), [timeline.messages, firstUnread]);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useRef<ListHandle>(null);
  useMarkRead(
    room.organization_id,
    room.room_id,
    rows.at(-1)?.message.message_id,
    isAtEnd && timeline.atNewest,
  );

  const toNewest = useCallback(() => {
    if (store.timeline.get().atNewest) toEnd.current?.toEnd();
    else void store.openNewest({ reload: true });
  }, [store]);
  const editLast = () => {
    const own = lastOwn(rows, personId);
    if (own) edit(own.message_id);
  };
  const targetIndex = rows.findIndex((each) => each.message.message_id === target);
  const editedIndex = rows.findIndex((each) => each.message.message_id === editingId);
  const isLoaded = openCount > 0;
  const isShown = (isLoaded || pending.length > 0) && !(rows.length === 0 && loading.opening);
  const start = isLoaded && timeline.older === null ? [<RoomStart key="start" room={room} />] : [];

  return (
    <DropZone
      label={texts.attachments.drop}
      enabled={canWrite}
      onFiles={(files) => attach(room.room_id, room.room_id, files)}
    >
      <LoadError store={store} />
      <div className={classes.place}>
        {loading.older && <div className={classes.busy}>{texts.messages.loadingOlder}</div>}
        {rows.length === 0 && loading.opening && <Loading />}
        {isShown && (
          <VirtualList
            key={`${room.room_id} ${openCount} ${target ?? ""}`}
            label={texts.rooms.messagesOf(room.name)}
            grewAtStart={timeline.change === "older"}
            startAt={targetIndex >= 0 ? targetIndex + start.length : null}
            onNearStart={() => void store.loadOlder()}
            onNearEnd={() => void store.loadNewer()}
            onAtEnd={setAtEnd}
            keepMounted={editedIndex >= 0 ? [editedIndex + start.length] : undefined}
            ref={toEnd}
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
        {(!isAtEnd || !timeline.atNewest) && rows.length > 0 && (
          <Button
            className={classes.newest}
            size="compact-sm"
            radius="xl"
            leftSection={<ArrowDown size={15} aria-hidden />}
            onClick={toNewest}
          >
            {texts.messages.toNewest}
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
          autoFocus={!messageId && matchMedia("(hover: hover)").matches}
        />
      ) : (
        <p className={classes.closed}>{room.archived_at ? texts.rooms.isArchived : texts.rooms.readOnly}</p>
      )}
      <TypingNotice room={room} personId={personId} />
    </DropZone>
  );
}

/** The first unread message when the room was opened; "New" stays above it while the room is open. */
function useFirstUnread(room: Room): string | null {
  const { data } = useUnread(room.organization_id);
  const [seen, setSeen] = useState<{ roomId: string; first: string | null } | null>(null);
  const first = data?.find((each) => each.room_id === room.room_id)?.first_unread_message_id ?? null;
  if (data && seen?.roomId !== room.room_id) setSeen({ roomId: room.room_id, first });
  return seen?.roomId === room.room_id ? seen.first : first;
}
