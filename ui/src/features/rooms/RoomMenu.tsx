import { Menu } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Archive, ArchiveRestore, CalendarSearch, Info, Pencil, Trash2, Webhook } from "lucide-react";
import { lazy, Suspense, use, useState, type ReactNode } from "react";
import { messageOf } from "@/api/errors";
import { ButtonMenu } from "@/kit/overlay/ButtonMenu";
import { showNotice } from "@/kit/overlay/notices";
import { OpenerContext } from "@/kit/overlay/Opener";
import { deleteRoom, updateRoom } from "@/model/rooms/changes";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { managing } from "@/texts/rooms";

const EditRoomDialog = lazy(() => import("./EditRoomDialog").then((m) => ({ default: m.EditRoomDialog })));
const ConfirmDialog = lazy(() =>
  import("@/kit/overlay/ConfirmDialog").then((m) => ({ default: m.ConfirmDialog })),
);

interface Props {
  room: Room;
  /** Whether the reader is an admin of the space. */
  canManage: boolean;
  /** Asks for a day to jump to; opens at the button of the menu. */
  jump?: ReactNode;
}

/** The menu of a room. */
export function RoomMenu({ room, canManage, jump }: Props) {
  const { button } = use(OpenerContext);
  const [isJumping, setJumping] = useState<boolean | null>(null); // null before the first time
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const navigate = useNavigate();
  const { roomId } = useParams({ strict: false });
  const params = { organizationId: room.organization_id, roomId: room.room_id };
  const showDetails = () =>
    void navigate({
      to: "/o/$organizationId/rooms/$roomId",
      params,
      search: (known) => ({ ...(roomId === room.room_id && known), thread: undefined, panel: "details" }),
    });
  const showIncoming = () =>
    void navigate({ to: "/o/$organizationId/rooms/$roomId", params, search: { view: "incoming" } });
  const remove = async () => {
    await deleteRoom(room);
    if (roomId === room.room_id) void navigate({ to: "/o/$organizationId", params });
    showNotice(managing.deleted(room.name));
  };
  return (
    <>
      <ButtonMenu position="bottom-start" width={250} withinPortal={false} floatingStrategy="fixed">
        <Menu.Item leftSection={<Info size={15} aria-hidden />} onClick={showDetails}>
          {managing.details}
        </Menu.Item>
        {jump && (
          <Menu.Item leftSection={<CalendarSearch size={15} aria-hidden />} onClick={() => setJumping(true)}>
            {texts.rooms.jump}
          </Menu.Item>
        )}
        {canManage && (
          <>
            <Menu.Item leftSection={<Webhook size={15} aria-hidden />} onClick={showIncoming}>
              {managing.incoming}
            </Menu.Item>
            <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setDialog("edit")}>
              {managing.edit}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={
                room.archived_at ? (
                  <ArchiveRestore size={15} aria-hidden />
                ) : (
                  <Archive size={15} aria-hidden />
                )
              }
              onClick={() => void setArchived(room, room.archived_at === null)}
            >
              {room.archived_at ? managing.unarchive : managing.archive}
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={15} aria-hidden />}
              onClick={() => setDialog("delete")}
            >
              {managing.delete}
            </Menu.Item>
          </>
        )}
      </ButtonMenu>
      <OpenerContext value={{ button, isOpen: isJumping === true, onChange: setJumping }}>
        <Suspense>{isJumping !== null && jump}</Suspense>
      </OpenerContext>
      <Suspense>
        {dialog === "edit" && <EditRoomDialog room={room} onClose={() => setDialog(null)} />}
        {dialog === "delete" && (
          <ConfirmDialog
            title={managing.deleteOne(room.name)}
            onConfirm={remove}
            onClose={() => setDialog(null)}
          >
            {managing.deleteHint}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}

/** Archive or restore a room. Archiving can be undone where it is reported. */
async function setArchived(room: Room, archived: boolean): Promise<void> {
  try {
    await updateRoom(room, { archived });
    const undo = { label: managing.undo, onAct: () => void setArchived(room, false) };
    showNotice(archived ? managing.archived(room.name) : managing.unarchived(room.name), {
      action: archived ? undo : null,
    });
  } catch (error) {
    showNotice(messageOf(error), { isError: true });
  }
}
