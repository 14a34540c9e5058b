import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Archive, Settings, Users } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ButtonMenu } from "@/kit/overlay/ButtonMenu";
import { useOwnOrganizations } from "@/model/people/queries";
import type { Room } from "@/model/rooms/queries";
import type { Space } from "@/model/spaces/queries";
import { spacePeople } from "@/texts/rooms";

const SpacePeopleDialog = lazy(() =>
  import("./SpacePeopleDialog").then((m) => ({ default: m.SpacePeopleDialog })),
);
const ArchivedRoomsDialog = lazy(() =>
  import("./ArchivedRoomsDialog").then((m) => ({ default: m.ArchivedRoomsDialog })),
);

interface Props {
  space: Space;
  rooms: Room[];
  onChosen: () => void;
}

/** The menu of a space. Its admins with a role in the administration also manage the space from here. */
export function SpaceMenu({ space, rooms, onChosen }: Props) {
  const [dialog, setDialog] = useState<"people" | "archived" | null>(null);
  const own = useOwnOrganizations().find((each) => each.organization_id === space.organization_id);
  const isAdmin = own?.role === "admin" || own?.role === "super_admin";
  const archived = rooms.filter((each) => each.archived_at !== null);
  const navigate = useNavigate();
  const manage = () => {
    onChosen();
    const params = { organizationId: space.organization_id, spaceId: space.space_id };
    void navigate({ to: "/o/$organizationId/administration/spaces/$spaceId", params });
  };
  const close = () => setDialog(null);
  return (
    <>
      <ButtonMenu position="bottom-start" width={230} withinPortal={false} floatingStrategy="fixed">
        <Menu.Item leftSection={<Users size={15} aria-hidden />} onClick={() => setDialog("people")}>
          {spacePeople.people}
        </Menu.Item>
        {archived.length > 0 && (
          <Menu.Item leftSection={<Archive size={15} aria-hidden />} onClick={() => setDialog("archived")}>
            {spacePeople.archived(archived.length)}
          </Menu.Item>
        )}
        {isAdmin && (
          <Menu.Item leftSection={<Settings size={15} aria-hidden />} onClick={manage}>
            {spacePeople.manage}
          </Menu.Item>
        )}
      </ButtonMenu>
      <Suspense>
        {dialog === "people" && <SpacePeopleDialog space={space} onClose={close} />}
        {dialog === "archived" && (
          <ArchivedRoomsDialog space={space} rooms={archived} onChosen={onChosen} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
