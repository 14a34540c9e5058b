import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/kit/overlay/Dialog";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { RoleSelect } from "../RoleSelect";
import { assignableBy, useOrganization, type Role } from "../useOrganization";

interface Props {
  people: number;
  onClose: () => void;
  onChosen: (role: Role) => void;
}

const labels = administration.people;

/** The role that several people get. */
export function BulkRoleDialog({ people, onClose, onChosen }: Props) {
  const { role: own } = useOrganization();
  const [role, setRole] = useState<Role>("member");
  return (
    <Dialog onClose={onClose} title={labels.changeRoleOf(people)} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChosen(role);
        }}
      >
        <Stack>
          <RoleSelect
            label={labels.role}
            description={labels.roleMeans[role]}
            roles={assignableBy(own)}
            value={role}
            onChange={setRole}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit">{labels.changeRole}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
