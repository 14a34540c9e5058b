import { useState } from "react";
import { messageOf } from "@/api/errors";
import { SearchField } from "@/kit/input/SearchField";
import { Dialog } from "@/kit/overlay/Dialog";
import { EmptyState } from "@/kit/layout/EmptyState";
import { Loading } from "@/kit/layout/Loading";
import { matchScore } from "@/kit/text/matching";
import { useSpaceMembers, type Space, type SpaceMember } from "@/model/spaces/queries";
import { spacePeople } from "@/texts/rooms";
import { PeopleRows } from "./PeopleRows";
import classes from "./SpaceDialogs.module.css";

interface Props {
  space: Space;
  onClose: () => void;
}

const MANY = 8;

/** Who is in a space: those who were added, then those who inherit access. */
export function SpacePeopleDialog({ space, onClose }: Props) {
  const { data: people, error } = useSpaceMembers(space.space_id);
  const [find, setFind] = useState("");
  const found = people?.filter((each) => matchScore(each.name, find) > 0) ?? [];
  const added = found.filter((each) => each.granted !== null);
  const inherited = found.filter((each) => each.granted === null);
  return (
    <Dialog onClose={onClose} title={spacePeople.title(space.name)} centered>
      {error && <p role="alert">{messageOf(error)}</p>}
      {!people && !error && <Loading />}
      {people && people.length > MANY && (
        <SearchField size="sm" label={spacePeople.find} value={find} onChange={setFind} data-autofocus />
      )}
      {people && found.length === 0 && <EmptyState title={spacePeople.nobody} />}
      <Part space={space} label={spacePeople.added(added.length)} people={added} />
      <Part space={space} label={spacePeople.inherited(inherited.length)} people={inherited} />
    </Dialog>
  );
}

function Part({ space, label, people }: { space: Space; label: string; people: SpaceMember[] }) {
  if (people.length === 0) return null;
  return (
    <section className={classes.part}>
      <h3>{label}</h3>
      <PeopleRows organizationId={space.organization_id} label={label} people={people} />
    </section>
  );
}
