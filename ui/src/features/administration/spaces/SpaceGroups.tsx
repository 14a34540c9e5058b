import { useQuery } from "@tanstack/react-query";
import { Row } from "@/kit/layout/Rows";
import { Rows } from "@/kit/layout/Rows";
import { useChange } from "@/kit/data/useChange";
import { spaceMembersKey } from "@/model/queryKeys";
import type { Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { groupsOf, setGroupRole, SPACE_ROLES, spaceGroupsOf, type SpaceRole } from "../groups";
import { Section } from "../Section";
import { RoleMenu } from "../RoleMenu";

const labels = administration.spaces;

/** The roles of directory groups in a space; renders nothing without groups. */
export function SpaceGroups({ space }: { space: Space }) {
  const { data: groups } = useQuery(groupsOf(space.organization_id));
  const { data: given } = useQuery(spaceGroupsOf(space.space_id));
  const set = useChange({
    change: ({ groupId, role }: { groupId: string; role: SpaceRole | "none" }) =>
      setGroupRole(space.space_id, groupId, role),
    invalidates: [spaceGroupsOf(space.space_id).queryKey, spaceMembersKey(space.space_id)],
    done: texts.app.saved,
  });
  if (!groups?.length || !given) return null;
  return (
    <Section title={labels.groups} more={labels.groupsMore}>
      <Rows label={labels.groups}>
        {groups.map((group) => (
          <Row
            key={group.group_id}
            title={<bdi>{group.name}</bdi>}
            more={administration.directory.members(group.member_count)}
          >
            <RoleMenu
              label={labels.granted(group.name)}
              roles={["none", ...SPACE_ROLES]}
              value={given.find((each) => each.group_id === group.group_id)?.role ?? "none"}
              disabled={set.isPending}
              onChange={(role) => set.mutate({ groupId: group.group_id, role })}
            />
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
