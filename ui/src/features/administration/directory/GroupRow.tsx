import { Button } from "@mantine/core";
import { Row } from "@/kit/layout/Rows";
import type { Space } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import type { Group, SpaceRole } from "../groups";

export interface RoleInSpace {
  space: Space;
  role: SpaceRole | "none";
}

interface Props {
  group: Group;
  roles: RoleInSpace[];
  onEdit: () => void;
}

const labels = administration.directory;

export function GroupRow({ group, roles, onEdit }: Props) {
  const granted = roles.filter((each) => each.role !== "none");
  return (
    <Row
      title={<bdi>{group.name}</bdi>}
      details={
        <>
          {labels.members(group.member_count)} ·{" "}
          {granted.length === 0
            ? labels.noRoles
            : granted.map(({ space, role }, index) => (
                <span key={space.space_id}>
                  {index > 0 && ", "}
                  <bdi>{space.name}</bdi> ({administration.roles[role]})
                </span>
              ))}
        </>
      }
    >
      <Button size="compact-sm" variant="default" onClick={onEdit} aria-label={labels.rolesOf(group.name)}>
        {labels.roles}
      </Button>
    </Row>
  );
}
