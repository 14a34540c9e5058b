import { Input } from "@mantine/core";
import { useSpaces } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { RoleSelect } from "./RoleSelect";
import type { SpaceGrant } from "./integrations/queries";
import classes from "./SpaceGrantFields.module.css";

interface Props {
  organizationId: string;
  grants: SpaceGrant[];
  /** What a role in a space means here. */
  more: string;
  /** What being in no space is called. */
  none?: string;
  onChange: (grants: SpaceGrant[]) => void;
}

const ROLES = ["none", "reader", "member", "admin"] as const;
const labels = administration.integrations;

/** A role in each space, or none. */
export function SpaceGrantFields({ organizationId, grants, more, none, onChange }: Props) {
  const { data: spaces } = useSpaces(organizationId);
  const set = (spaceId: string, role: (typeof ROLES)[number]) => {
    const others = grants.filter((each) => each.space_id !== spaceId);
    onChange(role === "none" ? others : [...others, { space_id: spaceId, role }]);
  };
  return (
    <fieldset className={classes.spaces}>
      <Input.Label component="legend">{labels.spaces}</Input.Label>
      <Input.Description>{more}</Input.Description>
      <ul>
        {(spaces ?? []).map((space) => (
          <li key={space.space_id}>
            <bdi>{space.name}</bdi>
            <RoleSelect
              isBare
              label={labels.roleIn(space.name)}
              roles={ROLES}
              names={{ none }}
              value={grants.find((each) => each.space_id === space.space_id)?.role ?? "none"}
              onChange={(role) => set(space.space_id, role)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
