import { queryClient } from "@/api/queryClient";
import { timelineOf } from "@/model/messages/timelines";
import { cacheActors } from "@/model/people/names";
import { roomOf, roomsOf } from "@/model/rooms/queries";
import { spacesOf } from "@/model/spaces/queries";
import { unreadOf } from "@/model/unread/useUnread";
import { router } from "./router";

const MOST_MS = 1000;

/**
 * Take what `src/early.ts` has requested into the caches, so that the first render shows the room instead of one part
 * after the other. What fails or takes too long loads where it is shown.
 */
export async function readFirstRoom(): Promise<void> {
  const { organizationId, roomId, actors } = window.early ?? {};
  void actors?.then(cacheActors);
  if (!organizationId || !roomId || location.search) return;
  void readRooms(organizationId).catch(() => undefined);
  const shown = [
    router.load(),
    queryClient.prefetchQuery(unreadOf(organizationId)),
    queryClient.fetchQuery(roomOf(roomId)).then((room) => {
      if (room.room_type !== "video") return timelineOf(room).openNewest();
    }),
  ];
  await Promise.race([Promise.allSettled(shown), new Promise((done) => setTimeout(done, MOST_MS))]);
}

async function readRooms(organizationId: string): Promise<void> {
  for (const { space_id } of await queryClient.fetchQuery(spacesOf(organizationId)))
    void queryClient.prefetchQuery(roomsOf(space_id));
}
