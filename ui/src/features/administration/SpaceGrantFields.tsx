import { Input } from "@mantine/core";
import { Lock } from "lucide-react";
import { useSpaces, type Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { RoleSelect } from "./RoleChoice";
import type { SpaceGrant } from "./integrations/queries";
import classes from "./SpaceGrantFields.module.css";

interface Props {
  organizationId: string;
  grants: SpaceGrant[];
  /** What a role in a space means here. */
  hint: string;
  /** What being in no space is called. */
  none?: string;
  /** What it is called in an open space, if it is something else there. */
  noneInOpen?: string;
  onChange: (grants: SpaceGrant[]) => void;
}

const ROLES = ["none", "reader", "member", "admin"] as const;
const labels = administration.integrations;

/** Private spaces are those that people have to be added to. */
const privateFirst = (spaces: readonly Space[]): Space[] =>
  spaces.toSorted((one, other) => Number(one.visibility === "open") - Number(other.visibility === "open"));

/** A role in each space, or none. */
export function SpaceGrantFields({ organizationId, grants, hint, none, noneInOpen = none, onChange }: Props) {
  const { data: spaces } = useSpaces(organizationId);
  const set = (spaceId: string, role: (typeof ROLES)[number]) => {
    const others = grants.filter((each) => each.space_id !== spaceId);
    onChange(role === "none" ? others : [...others, { space_id: spaceId, role }]);
  };
  return (
    <fieldset className={classes.spaces}>
      <Input.Label component="legend">{labels.spaces}</Input.Label>
      <Input.Description>{hint}</Input.Description>
      <ul>
        {privateFirst(spaces ?? []).map((space) => (
          <li key={space.space_id}>
            <span className={classes.name}>
              <bdi>{space.name}</bdi>
              {space.visibility === "private" && <Lock size={13} aria-label={texts.spaces.private} />}
            </span>
            <RoleSelect
              isBare
              label={labels.roleIn(space.name)}
              roles={ROLES}
              names={{ none: space.visibility === "open" ? noneInOpen : none }}
              value={grants.find((each) => each.space_id === space.space_id)?.role ?? "none"}
              onChange={(role) => set(space.space_id, role)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
