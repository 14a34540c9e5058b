import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, use, useEffect } from "react";
import { ApiError } from "@/api/errors";
import { ChatView } from "@/features/messages/chat/ChatView";
import { JumpPopover, JumpToDate } from "@/features/messages/chat/JumpToDate";
import { RoomMenuButton } from "@/features/rooms/RoomMenuButton";
import { RoomTabs, type RoomView } from "@/features/rooms/RoomTabs";
import { ErrorPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { PageWithPanels } from "@/kit/layout/Page";
import { MenuContext, PageHeader } from "@/kit/layout/PageHeader";
import { writeStorage } from "@/kit/data/storage";
import { setTitle } from "@/kit/layout/title";
import { RoomContext } from "@/model/messages/roomContext";
import { useRoom, type Room } from "@/model/rooms/queries";
import { rememberRoom } from "@/model/rooms/recent";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import classes from "./RoomPage.module.css";
import { useCreateRoomContext } from "./useCreateRoomContext";

const PostsView = lazy(() =>
  import("@/features/messages/posts/PostsView").then((m) => ({ default: m.PostsView })),
);
const BlocksPage = lazy(() =>
  import("@/features/blocks/BlocksPage").then((m) => ({ default: m.BlocksPage })),
);
const IncomingPage = lazy(() =>
  import("@/features/incoming/IncomingPage").then((m) => ({ default: m.IncomingPage })),
);
const RecordingsView = lazy(() =>
  import("@/features/recordings/RecordingsView").then((m) => ({ default: m.RecordingsView })),
);
const RecordingPage = lazy(() =>
  import("@/features/recordings/RecordingPage").then((m) => ({ default: m.RecordingPage })),
);
const ThreadPanel = lazy(() =>
  import("@/features/messages/thread/ThreadPanel").then((m) => ({ default: m.ThreadPanel })),
);
const RoomDetails = lazy(() =>
  import("@/features/rooms/details/RoomDetails").then((m) => ({ default: m.RoomDetails })),
);

export function RoomPage() {
  const { roomId } = useParams({ from: "/signed-in/o/$organizationId/rooms/$roomId" });
  const { data: room, error } = useRoom(roomId);
  const isGone = error instanceof ApiError && error.status === 404; // deleted, or access was taken away, while it was open
  if (error && (!room || isGone)) return <ErrorPage error={error} />;
  if (!room) return <Loading />;
  return <OpenRoom key={roomId} room={room} />;
}

/** A room: its messages with the open thread, or another view. */
function OpenRoom({ room }: { room: Room }) {
  const {
    message,
    thread,
    view: requested,
    recording,
    at,
    date,
    panel,
  } = useSearch({ from: "/signed-in/o/$organizationId/rooms/$roomId" });
  const navigate = useNavigate({ from: "/o/$organizationId/rooms/$roomId" });
  const context = useCreateRoomContext(
    room,
    (id) => void navigate({ search: (known) => ({ ...known, thread: id, panel: undefined }) }),
  );
  useEffect(() => {
    writeStorage(`room.${room.organization_id}`, room.room_id);
    rememberRoom(room.organization_id, room.room_id);
    setTitle(room.name);
  }, [room]);
  const view = viewOf(room, requested, message ?? thread ?? date);
  const isDetailed = panel === "details" && !(thread && view === "messages");
  const isChat = view === "messages" && room.room_type !== "post";
  const isNarrow = use(MenuContext) !== null;
  const jump = {
    shown: date,
    onJump: (day: string) => void navigate({ search: { view: requested, date: day } }),
  };
  return (
    <RoomContext value={context}>
      <PageWithPanels
        panels={
          <>
            {isDetailed && (
              <Suspense>
                <RoomDetails
                  onClose={() => void navigate({ search: (known) => ({ ...known, panel: undefined }) })}
                />
              </Suspense>
            )}
            {thread && view === "messages" && (
              <Suspense>
                <ThreadPanel
                  key={thread}
                  rootId={thread}
                  messageId={message}
                  onClose={() => void navigate({ search: (known) => ({ ...known, thread: undefined }) })}
                />
              </Suspense>
            )}
          </>
        }
      >
        <PageHeader
          icon={<RoomIcon type={room.room_type} size={18} />}
          title={<bdi>{room.name}</bdi>}
          menu={<RoomMenuButton jump={isChat && isNarrow && <JumpPopover {...jump} />} />}
          description={
            room.description && (
              <button
                type="button"
                className={classes.description}
                title={room.description}
                onClick={() => void navigate({ search: withDetails })}
              >
                <bdi>{room.description}</bdi>
              </button>
            )
          }
        >
          {isChat && !isNarrow && <JumpToDate {...jump} />}
          <RoomTabs room={room} view={view} />
        </PageHeader>
        <Suspense fallback={<Loading />}>
          {view === "page" && <BlocksPage />}
          {view === "incoming" && <IncomingPage />}
          {view === "recordings" &&
            (recording ? (
              <RecordingPage key={recording} recordingId={recording} at={at} />
            ) : (
              <RecordingsView />
            ))}
          {view === "messages" && room.room_type === "post" && <PostsView messageId={message} />}
          {isChat && <ChatView messageId={message} day={date} />}
        </Suspense>
      </PageWithPanels>
    </RoomContext>
  );
}

const withDetails = (known: Record<string, string | undefined>) => ({
  ...known,
  thread: undefined,
  panel: "details",
});

/** Return the view to show: a video room starts with its recordings, unless the URL names a message or a date. */
function viewOf(room: Room, requested: string | undefined, message: string | undefined): RoomView {
  if (requested === "page" || requested === "incoming") return requested;
  return room.room_type === "video" && requested !== "messages" && !message ? "recordings" : "messages";
}
