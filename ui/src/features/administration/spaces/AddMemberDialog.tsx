import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { spaceMembersKey } from "@/model/queryKeys";
import type { Space, SpaceMember } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { SPACE_ROLES, type SpaceRole } from "../groups";
import { keysOf } from "../integrations/queries";
import { membersOf } from "../people/queries";
import { RoleSelect } from "../RoleChoice";
import { setRole } from "./queries";

interface Props {
  space: Space;
  members: SpaceMember[];
  onClose: () => void;
}

const labels = administration.spaces;

/** Adds a person or an integration to the space. */
export function AddMemberDialog({ space, members, onClose }: Props) {
  const { data: people = [] } = useQuery(membersOf(space.organization_id));
  const { data: keys = [] } = useQuery(keysOf(space.organization_id));
  const [actorId, setActorId] = useState("");
  const [role, setChosen] = useState<SpaceRole>("member");
  const add = useChange({
    change: () => setRole(space.space_id, actorId, role),
    invalidates: [spaceMembersKey(space.space_id), keysOf(space.organization_id).queryKey],
    done: onClose,
    handlesErrors: true,
  });
  const isNew = (id: string) => !members.some((each) => each.actor_id === id && each.granted !== null);
  const data = [
    { value: "", label: labels.choose },
    {
      group: administration.pages.people.title,
      items: people
        .filter((each) => each.active && isNew(each.person_id))
        .map((each) => ({ value: each.person_id, label: each.name })),
    },
    {
      group: administration.pages.integrations.title,
      items: keys
        .filter((each) => isNew(each.integration_id))
        .map((each) => ({ value: each.integration_id, label: each.name })),
    },
  ];
  return (
    <FormDialog
      title={labels.addTo(space.name)}
      action={labels.add}
      isIncomplete={!actorId}
      change={add}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <NativeSelect
        label={labels.who}
        required
        data={data}
        value={actorId}
        onChange={(event) => setActorId(event.currentTarget.value)}
        data-autofocus
      />
      <RoleSelect label={labels.role} roles={SPACE_ROLES} value={role} onChange={setChosen} />
    </FormDialog>
  );
}
