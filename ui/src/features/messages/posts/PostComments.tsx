import { useInViewport } from "@mantine/hooks";
import { messageOf } from "@/api/errors";
import { DropZone } from "@/kit/input/DropZone";
import { Loading } from "@/kit/layout/Loading";
import { useStore } from "@/kit/data/store";
import { outbox } from "@/model/messages/outbox";
import { RoomContext, useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { isAbout } from "@/model/unread/participation";
import { useMarkRead } from "@/model/unread/useMarkRead";
import { useNewReplies } from "@/model/unread/useNewMessages";
import { texts } from "@/texts";
import { attach } from "../attachments/pendingAttachments";
import { Composer } from "../composer/Composer";
import { MessageRow } from "../row/MessageRow";
import { PendingRow } from "../row/PendingRow";
import { lastOwn, rowsOf } from "../row/rows";
import { threadContext } from "../thread/threadContext";
import { useThread } from "../thread/useThread";
import classes from "./PostsView.module.css";

/** The comments on a post, and the field to write one. */
export function PostComments({ post }: { post: Message }) {
  const context = useRoomContext();
  const { organization_id: organizationId, room_id: roomId } = context.room;
  const replies = useThread(roomId, post.message_id);
  const { ref: end, inViewport: endInSight } = useInViewport();
  const first = useNewReplies(organizationId, roomId, post.message_id);
  useMarkRead(
    { organizationId, roomId, rootId: post.message_id },
    replies.data?.at(-1)?.message_id,
    endInSight && first !== undefined,
  );
  const pending = useStore(outbox).filter((each) => each.rootId === post.message_id);
  const rows = rowsOf(replies.data ?? [], first ?? null);
  const editLast = () => {
    const own = lastOwn(rows, context.personId);
    if (own) context.edit(own.message_id);
  };
  const takesPart = [post, ...(replies.data ?? [])].some((each) => isAbout(each, context.personId));
  if (replies.error) return <p role="alert">{messageOf(replies.error)}</p>;
  return (
    <RoomContext value={threadContext(context, takesPart)}>
      <section className={classes.comments} aria-label={texts.messages.commentsLabel}>
        {!replies.data && <Loading />}
        {rows.map((row) => (
          <MessageRow key={row.message.message_id} row={{ ...row, startsDay: false }} />
        ))}
        {pending.map((each) => (
          <PendingRow key={each.key} pending={each} />
        ))}
        <div ref={end} />
        {context.canWrite && (
          <div data-comment>
            <DropZone
              label={texts.attachments.drop}
              enabled
              onFiles={(files) => attach(context.room.room_id, post.message_id, files)}
            >
              <Composer
                room={context.room}
                rootId={post.message_id}
                label={texts.composer.comment}
                onSent={() => undefined}
                onArrowUp={editLast}
              />
            </DropZone>
          </div>
        )}
      </section>
    </RoomContext>
  );
}
