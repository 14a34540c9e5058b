import { messageOf } from "@/api/errors";
import { DropZone } from "@/kit/DropZone";
import { Loading } from "@/kit/Loading";
import { useStore } from "@/kit/store";
import { outbox } from "@/model/messages/outbox";
import { PlaceContext, usePlace } from "@/model/messages/place";
import type { Message } from "@/model/messages/walk";
import { texts } from "@/texts";
import { attach } from "../attachments/pendingAttachments";
import { Composer } from "../composer/Composer";
import { MessageRow } from "../row/MessageRow";
import { PendingRow } from "../row/PendingRow";
import { rowsOf } from "../row/rows";
import { useThread } from "../thread/useThread";
import classes from "./PostComments.module.css";

/** The comments on a post, and where one writes another. */
export function PostComments({ post }: { post: Message }) {
  const place = usePlace();
  const replies = useThread(post.room_id, post.message_id);
  const pending = useStore(outbox).filter((each) => each.rootId === post.message_id);
  if (replies.error) return <p role="alert">{messageOf(replies.error)}</p>;
  return (
    <PlaceContext value={{ ...place, openThread: null }}>
      <section className={classes.comments} aria-label={texts.messages.commentsLabel} data-messages>
        {!replies.data && <Loading />}
        {rowsOf(replies.data ?? [], null).map((row) => (
          <MessageRow key={row.message.message_id} row={{ ...row, startsDay: false }} />
        ))}
        {pending.map((each) => (
          <PendingRow key={each.key} pending={each} />
        ))}
        {place.canWrite && (
          <DropZone
            label={texts.attachments.drop}
            enabled
            onFiles={(files) => attach(place.room.room_id, post.message_id, files)}
          >
            <Composer
              room={place.room}
              rootId={post.message_id}
              label={texts.composer.comment}
              onSent={() => undefined}
            />
          </DropZone>
        )}
      </section>
    </PlaceContext>
  );
}
