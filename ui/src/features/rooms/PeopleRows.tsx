import { Badge } from "@mantine/core";
import { LongList } from "@/kit/layout/LongList";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorButton } from "@/model/people/ActorButton";
import type { SpaceMember } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { spacePeople } from "@/texts/rooms";
import classes from "./PeopleRows.module.css";

interface Props {
  organizationId: string;
  label: string;
  people: SpaceMember[];
}

/** People and integrations by name. Each opens their profile card. */
export function PeopleRows({ organizationId, label, people }: Props) {
  const sorted = people.toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <LongList of={sorted} first={30}>
      {(shown) => (
        <ul className={classes.rows} aria-label={label}>
          {shown.map((each) => (
            <li key={each.actor_id}>
              <ActorButton organizationId={organizationId} actorId={each.actor_id} className={classes.person}>
                <ActorAvatar organizationId={organizationId} actorId={each.actor_id} size={32} />
                <bdi>{each.name}</bdi>
                {each.actor_type === "integration" && <Mark>{texts.people.integration}</Mark>}
                {spacePeople.roles[each.role] && <Mark>{spacePeople.roles[each.role]}</Mark>}
              </ActorButton>
            </li>
          ))}
        </ul>
      )}
    </LongList>
  );
}

function Mark({ children }: { children: string }) {
  return (
    <Badge variant="light" color="gray" tt="none">
      {children}
    </Badge>
  );
}
