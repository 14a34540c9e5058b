import { useState } from "react";
import { Virtualizer } from "virtua";
import { Loading } from "@/kit/Loading";
import { useStore } from "@/kit/store";
import { outbox } from "@/model/messages/outbox";
import { useRoomContext } from "@/model/messages/roomContext";
import { timelineOf } from "@/model/messages/timelines";
import { useMarkRead } from "@/model/unread/useMarkRead";
import { texts } from "@/texts";
import { LoadError } from "../chat/LoadError";
import { useTimeline } from "../chat/useTimeline";
import { useMessageShortcuts } from "../keyboard/useMessageShortcuts";
import { PendingRow } from "../row/PendingRow";
import { PostCard } from "./PostCard";
import { PostComposer } from "./PostComposer";
import classes from "./PostsView.module.css";

const NEAR = 1200;

/** A room of posts, newest first, each with its comments. */
export function PostsView({ messageId }: { messageId: string | undefined }) {
  const { room, canWrite } = useRoomContext();
  const store = timelineOf(room);
  const target = useTimeline(store, room, messageId);
  const timeline = useStore(store.timeline);
  const loading = useStore(store.loading);
  const pending = useStore(outbox).filter((each) => each.roomId === room.room_id && each.rootId === null);
  const [isAtStart, setAtStart] = useState(true);
  const posts = timeline.messages.toReversed();
  useMarkRead(
    { organizationId: room.organization_id, roomId: room.room_id, rootId: null },
    posts[0]?.message_id,
    isAtStart && timeline.atNewest,
  );
  useMessageShortcuts();
  const look = (event: React.UIEvent<HTMLDivElement>) => {
    const here = event.currentTarget;
    setAtStart(here.scrollTop < 200);
    if (here.scrollHeight - here.scrollTop - here.clientHeight < NEAR) void store.loadOlder();
    if (here.scrollTop < NEAR) void store.loadNewer();
  };
  return (
    <div className={classes.scroller} onScroll={look} data-messages>
      <div className={classes.column}>
        {canWrite && <PostComposer key={room.room_id} onSent={() => void store.openNewest()} />}
        {pending.map((each) => (
          <PendingRow key={each.key} pending={each} />
        ))}
        {posts.length === 0 && loading.opening && <Loading />}
        <LoadError store={store} />
        {posts.length === 0 && !loading.opening && !loading.error && (
          <p className={classes.nothing}>{texts.rooms.noPosts}</p>
        )}
        <Virtualizer shift={timeline.change === "other"} bufferSize={800}>
          {posts.map((post) => (
            <PostCard key={post.message_id} post={post} isMarked={post.message_id === target} />
          ))}
        </Virtualizer>
      </div>
    </div>
  );
}
