import { useQueries, useQuery } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { useState } from "react";
import { Button, Group, Text } from "@mantine/core";
import { useChange } from "@/kit/data/useChange";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Rows, Row } from "@/kit/layout/Rows";
import { Dialog } from "@/kit/overlay/Dialog";
import { spaceMembersKey } from "@/model/queryKeys";
import { useSpaces, type Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import {
  groupsOf,
  spaceGroupsOf,
  type SpaceGroup,
  type Group as DirectoryGroup,
  type SpaceRole,
  setGroupRole,
  SPACE_ROLES,
} from "../groups";
import { RoleMenu } from "../RoleChoice";
import classes from "../SpaceGrantFields.module.css";
import { useOrganization } from "../useOrganization";

const labels = administration.directory;

/** The groups of the directory, with their roles in spaces. */
export function DirectoryGroups() {
  const { organizationId } = useOrganization();
  const groups = useQuery(groupsOf(organizationId));
  const { data: spaces = [] } = useSpaces(organizationId);
  const given = useQueries({ queries: spaces.map((each) => spaceGroupsOf(each.space_id)), combine: dataOf });
  const [chosen, setChosen] = useState<string | null>(null);
  const rolesOf = (groupId: string): RoleInSpace[] =>
    spaces.map((space, index) => ({
      space,
      role: given[index]?.find((each) => each.group_id === groupId)?.role ?? "none",
    }));
  return (
    <QueryResult of={groups}>
      {(all) => {
        const group = all.find((each) => each.group_id === chosen);
        if (all.length === 0)
          return (
            <EmptyState icon={<UsersRound size={22} aria-hidden />} title={labels.noGroups}>
              {labels.noGroupsHint}
            </EmptyState>
          );
        return (
          <>
            <Rows label={labels.groups}>
              {all.map((each) => (
                <GroupRow
                  key={each.group_id}
                  group={each}
                  roles={rolesOf(each.group_id)}
                  onEdit={() => setChosen(each.group_id)}
                />
              ))}
            </Rows>
            {group && (
              <GroupRolesDialog
                group={group}
                roles={rolesOf(group.group_id)}
                onClose={() => setChosen(null)}
              />
            )}
          </>
        );
      }}
    </QueryResult>
  );
}

const dataOf = (results: { data: SpaceGroup[] | undefined }[]) => results.map((each) => each.data);

interface Props {
  group: DirectoryGroup;
  roles: RoleInSpace[];
  onClose: () => void;
}

/** The roles of a group in spaces; a choice takes effect immediately. */
function GroupRolesDialog({ group, roles, onClose }: Props) {
  const set = useChange({
    change: ({ spaceId, role }: { spaceId: string; role: SpaceRole | "none" }) =>
      setGroupRole(spaceId, group.group_id, role),
    invalidates: [["space-groups"], spaceMembersKey()],
    done: texts.app.saved,
  });
  return (
    <Dialog onClose={onClose} title={labels.rolesOf(group.name)} centered>
      <Text size="sm" c="dimmed">
        {labels.rolesHint}
      </Text>
      <div className={classes.spaces}>
        <ul>
          {roles.map(({ space, role }) => (
            <li key={space.space_id}>
              <bdi>{space.name}</bdi>
              <RoleMenu
                label={administration.integrations.roleIn(space.name)}
                roles={["none", ...SPACE_ROLES]}
                value={role}
                disabled={set.isPending}
                onChange={(chosen) => set.mutate({ spaceId: space.space_id, role: chosen })}
              />
            </li>
          ))}
        </ul>
      </div>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{labels.done}</Button>
      </Group>
    </Dialog>
  );
}

interface RoleInSpace {
  space: Space;
  role: SpaceRole | "none";
}

interface GroupRowProps {
  group: DirectoryGroup;
  roles: RoleInSpace[];
  onEdit: () => void;
}

function GroupRow({ group, roles, onEdit }: GroupRowProps) {
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
