import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Loading } from "@/kit/layout/Loading";
import { useStore } from "@/kit/data/store";
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
  const { target, visits } = useTimeline(store, room, messageId);
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
  const scroller = useRef<HTMLDivElement>(null);
  const openCount = useStore(store.openCount);
  // Newer posts come above the target: it stays in sight until the reader scrolls.
  const holds = useRef(false);
  useLayoutEffect(() => {
    holds.current = target !== null;
  }, [target, openCount, visits]);
  useLayoutEffect(() => {
    if (holds.current) scroller.current?.querySelector("[data-marked]")?.scrollIntoView();
  });
  const letGo = () => {
    holds.current = false;
  };
  const look = useCallback(() => {
    const here = scroller.current;
    if (!here) return;
    setAtStart(here.scrollTop < 200);
    if (here.scrollHeight - here.scrollTop - here.clientHeight < NEAR) void store.loadOlder();
    if (here.scrollTop < NEAR) void store.loadNewer();
  }, [store]);
  // A few posts may not fill the window, so that nothing scrolls.
  useEffect(() => {
    if (!loading.error) look();
  }, [look, posts.length, loading]);
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      onScroll={look}
      onWheel={letGo}
      onPointerDown={letGo}
      onKeyDown={letGo}
      data-messages
    >
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
        {posts.map((post) => (
          <PostCard key={post.message_id} post={post} isMarked={post.message_id === target} />
        ))}
      </div>
    </div>
  );
}
