import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { ThreadList } from "@/features/unread/ThreadList";
import { ThreadTools } from "@/features/unread/ThreadTools";
import { PageColumn, PageWithPanels } from "@/kit/layout/Page";
import { PageHeader } from "@/kit/layout/PageHeader";
import { setTitle } from "@/kit/layout/title";
import { RoomContext } from "@/model/messages/roomContext";
import { useRoom, type Room } from "@/model/rooms/queries";
import { RoomName } from "@/model/rooms/RoomName";
import { texts } from "@/texts";
import { useCreateRoomContext } from "./useCreateRoomContext";

const ThreadPanel = lazy(() =>
  import("@/features/messages/thread/ThreadPanel").then((m) => ({ default: m.ThreadPanel })),
);

/** The threads that the reader takes part in, next to the open one. */
export function ThreadsPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId/threads" });
  const { room, thread } = useSearch({ from: "/signed-in/o/$organizationId/threads" });
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  useEffect(() => setTitle(texts.inbox.threads), []);
  return (
    <PageWithPanels
      panels={room && thread && <OpenThread key={`${room} ${thread}`} roomId={room} rootId={thread} />}
    >
      <PageHeader icon={<MessagesSquare size={17} aria-hidden />} title={texts.inbox.threads}>
        <ThreadTools
          organizationId={organizationId}
          isUnreadOnly={isUnreadOnly}
          onUnreadOnly={setUnreadOnly}
        />
      </PageHeader>
      <PageColumn>
        {" "}
        <ThreadList organizationId={organizationId} isUnreadOnly={isUnreadOnly} open={{ room, thread }} />
      </PageColumn>{" "}
    </PageWithPanels>
  );
}

function OpenThread({ roomId, rootId }: { roomId: string; rootId: string }) {
  const { data: room } = useRoom(roomId);
  return room ? <ThreadOfRoom room={room} rootId={rootId} /> : null;
}

function ThreadOfRoom({ room, rootId }: { room: Room; rootId: string }) {
  const navigate = useNavigate({ from: "/o/$organizationId/threads" });
  const context = useCreateRoomContext(room, () => undefined);
  return (
    <RoomContext value={context}>
      <Suspense>
        <ThreadPanel rootId={rootId} messageId={undefined} onClose={() => void navigate({ search: {} })}>
          <Link
            to="/o/$organizationId/rooms/$roomId"
            params={{ organizationId: room.organization_id, roomId: room.room_id }}
            search={{ message: rootId, thread: rootId }}
          >
            <RoomName room={room} />
          </Link>
        </ThreadPanel>
      </Suspense>
    </RoomContext>
  );
}
