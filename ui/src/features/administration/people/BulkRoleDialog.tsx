import { useState } from "react";
import { FormDialog } from "@/kit/overlay/FormDialog";
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
    <FormDialog
      title={labels.changeRoleOf(people)}
      action={labels.changeRole}
      onSubmit={() => onChosen(role)}
      onClose={onClose}
    >
      <RoleSelect
        label={labels.role}
        description={labels.roleMeans[role]}
        roles={assignableBy(own)}
        value={role}
        onChange={setRole}
      />
    </FormDialog>
  );
}
