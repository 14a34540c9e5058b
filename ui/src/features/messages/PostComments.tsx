import { Loading } from "@/app/Loading";
import { messageOf } from "@/api/refusal";
import { attach } from "@/features/attachments/attaching";
import { DropZone } from "@/features/attachments/DropZone";
import { useStore } from "@/kit/store";
import { texts } from "@/texts";
import { Composer } from "./Composer";
import { MessageRow } from "./MessageRow";
import { outbox } from "./outbox";
import { PendingRow } from "./PendingRow";
import { PlaceContext, usePlace } from "./place";
import classes from "./PostComments.module.css";
import { rowsOf } from "./rows";
import { useThread } from "./useThread";
import type { Message } from "./walk";

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
