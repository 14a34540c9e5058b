import { useQueries, useQuery } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Rows } from "@/kit/layout/Rows";
import { useSpaces } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { groupsOf, spaceGroupsOf, type SpaceGroup } from "../groups";
import { useOrganization } from "../useOrganization";
import { GroupRolesDialog } from "./GroupRolesDialog";
import { GroupRow, type RoleInSpace } from "./GroupRow";

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
              {labels.noGroupsMore}
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
