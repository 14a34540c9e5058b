import { Button } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import { lazy, Suspense, use } from "react";
import { DropZone } from "@/kit/input/DropZone";
import { CountBadge } from "@/kit/layout/CountBadge";
import { Loading } from "@/kit/layout/Loading";
import { useRoomContext } from "@/model/messages/roomContext";
import type { UnreadRoom } from "@/model/unread/counts";
import { readAll } from "@/model/unread/markRead";
import { isAutoReadSuppressed } from "@/model/unread/visibility";
import { texts } from "@/texts";
import { useStore } from "@/kit/data/store";
import { shortDate } from "@/kit/text/times";
import { timelineOf } from "@/model/messages/timelines";
import { EmptyRoomContext } from "@/model/rooms/emptyRoom";
import type { Room } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import { typing } from "@/model/messages/typing";
import { ActorName } from "@/model/people/ActorName";
import { attach } from "../attachments/pendingAttachments";
import { Composer } from "../composer/Composer";
import { useMessageShortcuts } from "../keyboard/useMessageShortcuts";
import { MessageRow } from "../row/MessageRow";
import { PendingRow } from "../row/PendingRow";
import { lastOwn } from "../row/rows";
import classes from "./ChatView.module.css";
import { LoadError } from "./LoadError";
import { useChatView, type Chat } from "./useChatView";
import { VirtualList } from "./VirtualList";

const UnreadBar = lazy(() => import("./UnreadBar").then((m) => ({ default: m.UnreadBar })));

interface Props {
  messageId: string | undefined;
  /** The day to jump to, such as "2026-11-21". */
  day?: string;
}

/** A room as a conversation, newest messages at the bottom. */
export function ChatView({ messageId, day }: Props) {
  const { room, personId, canWrite, edit } = useRoomContext();
  useMessageShortcuts();
  const chat = useChatView(messageId, day);
  const editLast = () => {
    const own = lastOwn(chat.rows, personId);
    if (own) edit(own.message_id);
  };
  return (
    <DropZone
      label={texts.attachments.drop}
      enabled={canWrite}
      onFiles={(files) => attach(room.room_id, room.room_id, files)}
    >
      <LoadError store={chat.store} />
      <Messages chat={chat} />
      {canWrite ? (
        <Composer
          key={room.room_id}
          room={room}
          rootId={null}
          label={texts.composer.messageTo(room.name)}
          onSent={chat.toNewest}
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

/** The list of messages, with what is unread above it and the way to the newest below. */
function Messages({ chat }: { chat: Chat }) {
  const { room } = useRoomContext();
  const { rows, unread, isShown, isEndShown } = chat;
  const hasBar = unread && isShown && (!isEndShown || isAutoReadSuppressed(room.room_id));
  const place = { organizationId: room.organization_id, roomId: room.room_id, rootId: null };
  return (
    <div className={classes.place}>
      {chat.isLoadingOlder && <div className={classes.busy}>{texts.messages.loadingOlder}</div>}
      {chat.isWaiting && <Loading />}
      {hasBar && (
        <Suspense>
          <UnreadBar
            count={unread.unread_count}
            isCapped={unread.capped}
            since={rows.find((each) => each.startsNew)?.message.sent_at}
            onJump={chat.toUnread}
            onRead={() => void readAll(place, unread.last_message_id)}
          />
        </Suspense>
      )}
      {isShown && (
        <VirtualList key={chat.listKey} label={texts.rooms.messagesOf(room.name)} {...chat.list}>
          {[
            ...(chat.hasStart ? [<RoomStart key="start" room={room} />] : []),
            ...rows.map((row) => (
              <MessageRow
                key={row.message.message_id}
                row={row}
                isMarked={row.message.message_id === chat.target}
              />
            )),
            ...chat.pending.map((each) => <PendingRow key={each.key} pending={each} />),
          ]}
        </VirtualList>
      )}
      {!isEndShown && rows.length > 0 && <ToNewest unread={unread} onClick={chat.toNewest} />}
    </div>
  );
}

function ToNewest({ unread, onClick }: { unread: UnreadRoom | undefined; onClick: () => void }) {
  return (
    <Button
      className={classes.newest}
      size="compact-sm"
      radius="xl"
      leftSection={<ArrowDown size={15} aria-hidden />}
      onClick={onClick}
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
  );
}

/** The beginning of a room, above its first message. */
function RoomStart({ room }: { room: Room }) {
  const isEmpty = useStore(timelineOf(room).timeline).messages.length === 0;
  const showEmpty = use(EmptyRoomContext);
  return (
    <div className={classes.start}>
      <span className={classes.icon}>
        <RoomIcon type={room.room_type} size={22} />
      </span>
      <h2>
        <bdi>{room.name}</bdi>
      </h2>
      <p>{texts.rooms.beginning(shortDate(room.created_at))}</p>
      {isEmpty && <div className={classes.more}>{showEmpty(room)}</div>}
    </div>
  );
}

interface TypingNoticeProps {
  room: Room;
  personId: string;
}

/** Shows who is typing in the room. */
function TypingNotice({ room, personId }: TypingNoticeProps) {
  const who = Object.keys(useStore(typing)[room.room_id] ?? {}).filter((each) => each !== personId);
  return (
    <p className={classes.notice} aria-live="off">
      {who.length > 2 && texts.live.manyType}
      {who.length > 0 && who.length <= 2 && (
        <>
          {who.map((id, index) => (
            <span key={id}>
              {index > 0 && ` ${texts.live.and} `}
              <b>
                <ActorName organizationId={room.organization_id} actorId={id} />
              </b>
            </span>
          ))}{" "}
          {texts.live.typing(who.length)}
        </>
      )}
    </p>
  );
}
