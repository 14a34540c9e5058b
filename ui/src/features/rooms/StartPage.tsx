import { Navigate, useParams } from "@tanstack/react-router";
import { Loading } from "@/kit/layout/Loading";
import { MessagePage } from "@/kit/layout/MessagePage";
import { MenuContext, PageHeader } from "@/kit/layout/PageHeader";
import { readStorage } from "@/kit/data/storage";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { texts } from "@/texts";

/** Redirects to the room visited last; without it, to the first one, which is known when all rooms are. */
export function StartPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId" });
  const { spaces, isLoading } = useSpacesWithRooms(organizationId);
  const rooms = spaces.flatMap((each) => each.rooms).filter((each) => each.archived_at === null);
  const last = readStorage(`room.${organizationId}`);
  const room = rooms.find((each) => each.room_id === last) ?? (isLoading ? undefined : rooms[0]);
  if (room) {
    return (
      <Navigate
        replace
        to="/o/$organizationId/rooms/$roomId"
        params={{ organizationId, roomId: room.room_id }}
      />
    );
  }
  if (isLoading) return <Loading />;
  return (
    <>
      <PageHeader title={texts.rooms.all} />
      <MenuContext value={null}>
        <MessagePage title={texts.rooms.none}>{texts.rooms.noneHint}</MessagePage>
      </MenuContext>
    </>
  );
}
