import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Loading } from "@/app/Loading";
import { PageHeader } from "@/app/PageHeader";
import { TroublePage } from "@/app/TroublePage";
import { ChatView } from "@/features/messages/ChatView";
import { PlaceContext, type Place } from "@/features/messages/place";
import { useProfile } from "@/features/people/queries";
import { useSpaces } from "@/features/spaces/queries";
import { keep } from "@/kit/kept";
import { useRoom, type Room } from "./queries";
import { RoomIcon } from "./RoomIcon";
import classes from "./RoomPage.module.css";
import { RoomTabs } from "./RoomTabs";

const PostsView = lazy(() => import("@/features/messages/PostsView").then((m) => ({ default: m.PostsView })));
const BlocksPage = lazy(() =>
  import("@/features/blocks/BlocksPage").then((m) => ({ default: m.BlocksPage })),
);
const ThreadPanel = lazy(() =>
  import("@/features/messages/ThreadPanel").then((m) => ({ default: m.ThreadPanel })),
);

export function RoomPage() {
  const { roomId } = useParams({ from: "/signed-in/o/$organizationId/rooms/$roomId" });
  const { data: room, error } = useRoom(roomId);
  if (error && !room) return <TroublePage error={error} />;
  if (!room) return <Loading />;
  return <OpenRoom key={roomId} room={room} />;
}

/** A room: its messages, the thread beside them, or its page. */
function OpenRoom({ room }: { room: Room }) {
  const { message, thread, view } = useSearch({ from: "/signed-in/o/$organizationId/rooms/$roomId" });
  const navigate = useNavigate({ from: "/o/$organizationId/rooms/$roomId" });
  const place = usePlaceIn(room, (id) => void navigate({ search: { thread: id } }));
  useEffect(() => {
    keep(`room.${room.organization_id}`, room.room_id);
    document.title = `${room.name} · Atrium`;
  }, [room]);
  const isPage = view === "page";
  return (
    <PlaceContext value={place}>
      <main className={classes.room}>
        <div className={classes.main}>
          <PageHeader
            icon={<RoomIcon type={room.room_type} size={18} />}
            title={<bdi>{room.name}</bdi>}
            description={room.description}
          >
            <RoomTabs isPage={isPage} />
          </PageHeader>
          <Suspense fallback={<Loading />}>
            {isPage && <BlocksPage />}
            {!isPage && room.room_type === "post" && <PostsView messageId={message} />}
            {!isPage && room.room_type !== "post" && <ChatView messageId={message} />}
          </Suspense>
        </div>
        {thread && !isPage && (
          <Suspense>
            <ThreadPanel
              key={thread}
              rootId={thread}
              messageId={message}
              onClose={() => void navigate({ search: {} })}
            />
          </Suspense>
        )}
      </main>
    </PlaceContext>
  );
}

function usePlaceIn(room: Room, openThread: (rootId: string) => void): Place {
  const personId = useProfile().person_id;
  const { data: spaces } = useSpaces(room.organization_id);
  const role = spaces?.find((each) => each.space_id === room.space_id)?.role;
  const [editingId, edit] = useState<string | null>(null);
  return useMemo(
    () => ({
      room,
      personId,
      canWrite: room.archived_at === null && (role === "member" || role === "admin"),
      canModerate: role === "admin",
      editingId,
      edit,
      openThread: (message) => openThread(message.thread_root_id ?? message.message_id),
    }),
    // the way to a thread is the same for as long as the room is
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [room, personId, role, editingId],
  );
}
