import { Button } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { Loading } from "@/app/Loading";
import { attach } from "@/features/attachments/attaching";
import { DropZone } from "@/features/attachments/DropZone";
import { useMarkRead } from "@/features/unread/useMarkRead";
import { useStore } from "@/kit/store";
import { texts } from "@/texts";
import classes from "./ChatView.module.css";
import { Composer } from "./Composer";
import { MessageRow } from "./MessageRow";
import { outbox } from "./outbox";
import { PendingRow } from "./PendingRow";
import { usePlace } from "./place";
import { RoomStart } from "./RoomStart";
import { rowsOf } from "./rows";
import { timelineOf } from "./timelines";
import { TypingNotice } from "./TypingNotice";
import { useFirstUnread } from "./useFirstUnread";
import { useOpened } from "./useOpened";
import { VirtualList, type ListHandle } from "./VirtualList";

/** A room as a conversation: the newest message at the bottom, the whole past above it. */
export function ChatView({ messageId }: { messageId: string | undefined }) {
  const { room, personId, canWrite, edit, editingId } = usePlace();
  const store = timelineOf(room);
  const target = useOpened(store, room, messageId);
  const timeline = useStore(store.timeline);
  const loading = useStore(store.loading);
  const opened = useStore(store.opened);
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
    else void store.openNewest({ anew: true });
  }, [store]);
  const editLast = () => {
    const own = rows.findLast(({ message }) => message.user_id === personId && message.status === "SENT");
    if (own) edit(own.message.message_id);
  };
  const targetIndex = rows.findIndex((each) => each.message.message_id === target);
  const editedIndex = rows.findIndex((each) => each.message.message_id === editingId);
  const start = timeline.older === null ? [<RoomStart key="start" room={room} />] : [];

  return (
    <DropZone
      label={texts.attachments.drop}
      enabled={canWrite}
      onFiles={(files) => attach(room.room_id, room.room_id, files)}
    >
      {loading.error && (
        <p className={classes.trouble} role="alert">
          {loading.error}{" "}
          <button type="button" onClick={() => void store.openNewest({ anew: true })}>
            {texts.app.tryAgain}
          </button>
        </p>
      )}
      <div className={classes.place}>
        {loading.older && <div className={classes.busy}>{texts.messages.loadingOlder}</div>}
        {rows.length === 0 && loading.opening && <Loading />}
        {!(rows.length === 0 && loading.opening) && (
          <VirtualList
            key={`${room.room_id} ${opened} ${target ?? ""}`}
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
          label={texts.composer.writeTo(room.name)}
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
