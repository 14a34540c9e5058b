import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { messageOf } from "@/api/errors";
import { DropZone } from "@/kit/input/DropZone";
import { Loading } from "@/kit/layout/Loading";
import { SidePanel } from "@/kit/layout/SidePanel";
import { useStore } from "@/kit/data/store";
import { isTouch } from "@/kit/input/touch";
import { outbox } from "@/model/messages/outbox";
import { RoomContext, useRoomContext } from "@/model/messages/roomContext";
import { RoomName } from "@/model/rooms/RoomName";
import { isAbout } from "@/model/unread/participation";
import { useMarkRead } from "@/model/unread/useMarkRead";
import { useNewReplies } from "@/model/unread/useNewMessages";
import { texts } from "@/texts";
import { attach } from "../attachments/pendingAttachments";
import { oneMessage, useRepeatedVisits } from "../chat/useTimeline";
import { VirtualList, type ListHandle } from "../chat/VirtualList";
import { Composer } from "../composer/Composer";
import { MessageRow } from "../row/MessageRow";
import { PendingRow } from "../row/PendingRow";
import { lastOwn, rowsOfThread } from "../row/rows";
import { threadContext } from "./threadContext";
import classes from "./ThreadPanel.module.css";
import { useThread } from "./useThread";

interface Props {
  rootId: string;
  messageId: string | undefined;
  onClose: () => void;
  /** What the header says after the title; the room's name if nothing is given. */
  children?: ReactNode;
}

/** A thread next to the room: the root message and its replies. */
export function ThreadPanel({ rootId, messageId, onClose, children }: Props) {
  const context = useRoomContext();
  const { room, canWrite } = context;
  const root = useQuery(oneMessage(room.room_id, rootId));
  const replies = useThread(room.room_id, rootId);
  const pending = useStore(outbox).filter((each) => each.rootId === rootId);
  const toEnd = useRef<ListHandle>(null);
  const first = useNewReplies(room.organization_id, room.room_id, rootId);
  const rows = useMemo(
    () => (root.data ? rowsOfThread(root.data, replies.data ?? [], first ?? null) : []),
    [root.data, replies.data, first],
  );
  const [isAtEnd, setAtEnd] = useState(false);
  useMarkRead(
    { organizationId: room.organization_id, roomId: room.room_id, rootId },
    replies.data?.at(-1)?.message_id,
    isAtEnd,
  );
  const [editingId, setEditingId] = useState<string | null>(null);
  const takesPart = rows.some(({ message }) => isAbout(message, context.personId));
  const inside = useMemo(
    () => ({ ...threadContext(context, takesPart), editingId, edit: setEditingId }),
    [context, takesPart, editingId],
  );
  const editLast = () => {
    const own = lastOwn(rows, context.personId);
    if (own) setEditingId(own.message_id);
  };
  const editedIndex = rows.findIndex((each) => each.message.message_id === editingId);
  const visits = useRepeatedVisits(messageId);
  const marked = rows.findIndex((each) => each.message.message_id === messageId);
  const startAt = marked > 0 ? marked : rows.findIndex((each) => each.startsNew);
  const error = root.error ?? replies.error;
  return (
    <RoomContext value={inside}>
      <SidePanel
        title={texts.messages.thread}
        closeLabel={texts.messages.closeThread}
        onClose={onClose}
        head={children ?? <RoomName room={room} />}
      >
        {error && (
          <p role="alert" className={classes.problem}>
            {messageOf(error)}
          </p>
        )}
        <DropZone
          label={texts.attachments.drop}
          enabled={canWrite}
          onFiles={(files) => attach(room.room_id, rootId, files)}
        >
          {!root.data || !replies.data || first === undefined ? (
            !error && <Loading />
          ) : (
            <VirtualList
              key={marked > 0 ? `${rootId} ${messageId} ${visits}` : rootId}
              label={texts.messages.thread}
              grewAtStart={false}
              hasNewest
              startAt={startAt > 0 ? startAt : null}
              onAtEnd={setAtEnd}
              keepMounted={editedIndex >= 0 ? [editedIndex] : undefined}
              ref={toEnd}
            >
              {[
                ...rows.map((row) => (
                  <MessageRow
                    key={row.message.message_id}
                    row={row}
                    isMarked={marked > 0 && row.message.message_id === messageId}
                  />
                )),
                ...pending.map((each) => <PendingRow key={each.key} pending={each} />),
              ]}
            </VirtualList>
          )}
          {canWrite && (
            <div className={classes.composer}>
              <Composer
                key={rootId}
                room={room}
                rootId={rootId}
                label={texts.composer.reply}
                onSent={() => toEnd.current?.toEnd()}
                onArrowUp={editLast}
                autoFocus={!isTouch()}
              />
            </div>
          )}
        </DropZone>
      </SidePanel>
    </RoomContext>
  );
}
