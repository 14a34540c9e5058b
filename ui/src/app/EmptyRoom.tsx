import { lazy, Suspense } from "react";
import { hasRole, useOrganization } from "@/features/administration/useOrganization";
import type { Room } from "@/model/rooms/queries";

const RoomFirstSteps = lazy(() => import("./RoomFirstSteps").then((m) => ({ default: m.RoomFirstSteps })));

/** A room without messages, which shows admins of a new organization what to do first. */
function EmptyRoom({ room }: { room: Room }) {
  const isAdmin = hasRole(useOrganization().role, "admin");
  return (
    isAdmin && (
      <Suspense>
        <RoomFirstSteps room={room} />
      </Suspense>
    )
  );
}

export const showEmptyRoom = (room: Room) => <EmptyRoom room={room} />;
