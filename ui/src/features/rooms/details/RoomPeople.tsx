import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/layout/Loading";
import type { Room } from "@/model/rooms/queries";
import { useSpaceMembers } from "@/model/spaces/queries";
import { details } from "@/texts/rooms";
import { PeopleRows } from "../PeopleRows";
import classes from "./RoomDetails.module.css";

/** Who can read a room: everyone with access to its space. */
export function RoomPeople({ room }: { room: Room }) {
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
