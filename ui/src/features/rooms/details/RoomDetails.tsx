import { Button } from "@mantine/core";
import { Pencil } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/layout/Loading";
import { SidePanel } from "@/kit/layout/SidePanel";
import { shortDate } from "@/kit/text/times";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorButton } from "@/model/people/ActorButton";
import { ActorName } from "@/model/people/ActorName";
import type { Room } from "@/model/rooms/queries";
import { useSpaceMembers } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { details, managing } from "@/texts/rooms";
import { PeopleRows } from "../PeopleRows";
import classes from "./RoomDetails.module.css";
import { RoomFiles } from "./RoomFiles";

const EditRoomDialog = lazy(() => import("../EditRoomDialog").then((m) => ({ default: m.EditRoomDialog })));

/** What a room is for, its files, and who is in it. */
export function RoomDetails({ onClose }: { onClose: () => void }) {
  const { room } = useRoomContext();
  return (
    <SidePanel title={details.title} closeLabel={details.close} onClose={onClose}>
      <div className={classes.scroller}>
        <About />
        <RoomFiles roomId={room.room_id} organizationId={room.organization_id} />
        <RoomPeople room={room} />
      </div>
    </SidePanel>
  );
}

function About() {
  const { room, canModerate } = useRoomContext();
  const [isEditing, setEditing] = useState(false);
  const organizationId = room.organization_id;
  return (
    <section className={classes.part} aria-label={details.about}>
      <h3 className={classes.name} dir="auto">
        {room.name}
      </h3>
      <p className={classes.description} dir="auto" data-empty={room.description === "" || undefined}>
        {room.description || details.noDescription}
      </p>
      <p className={classes.facts}>
        {texts.rooms.types[room.room_type].name} · {details.created(shortDate(room.created_at))}
        {room.created_by && (
          <>
            {` ${details.createdBy} `}
            <ActorButton organizationId={organizationId} actorId={room.created_by}>
              <ActorName organizationId={organizationId} actorId={room.created_by} />
            </ActorButton>
          </>
        )}
        {room.archived_at && ` · ${details.archivedOn(shortDate(room.archived_at))}`}
      </p>
      {canModerate && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Pencil size={14} aria-hidden />}
          onClick={() => setEditing(true)}
        >
          {managing.edit}
        </Button>
      )}
      {isEditing && (
        <Suspense>
          <EditRoomDialog room={room} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </section>
  );
}

/** Who can read a room: everyone with access to its space. */
function RoomPeople({ room }: { room: Room }) {
  const { data: people, error } = useSpaceMembers(room.space_id);
  if (!people) return error ? <p role="alert">{messageOf(error)}</p> : <Loading />;
  const label = details.members(people.length);
  return (
    <section className={classes.part} aria-label={label}>
      <h3>{label}</h3>
      <PeopleRows organizationId={room.organization_id} label={label} people={people} />
    </section>
  );
}
