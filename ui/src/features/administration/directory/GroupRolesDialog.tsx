import { Button, Group, Text } from "@mantine/core";
import { Dialog } from "@/kit/overlay/Dialog";
import { useChange } from "@/kit/data/useChange";
import { spaceMembersKey } from "@/model/queryKeys";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import type { Group as DirectoryGroup, SpaceRole } from "../groups";
import { setGroupRole, SPACE_ROLES } from "../groups";
import classes from "../SpaceGrantFields.module.css";
import { RoleMenu } from "../RoleMenu";
import type { RoleInSpace } from "./GroupRow";

interface Props {
  group: DirectoryGroup;
  roles: RoleInSpace[];
  onClose: () => void;
}

const labels = administration.directory;

/** The roles of a group in spaces; a choice takes effect immediately. */
export function GroupRolesDialog({ group, roles, onClose }: Props) {
  const set = useChange({
    change: ({ spaceId, role }: { spaceId: string; role: SpaceRole | "none" }) =>
      setGroupRole(spaceId, group.group_id, role),
    invalidates: [["space-groups"], spaceMembersKey()],
    done: texts.app.saved,
  });
  return (
    <Dialog onClose={onClose} title={labels.rolesOf(group.name)} centered>
      <Text size="sm" c="dimmed">
        {labels.rolesMore}
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
