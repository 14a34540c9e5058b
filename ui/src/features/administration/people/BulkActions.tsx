import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { queryClient } from "@/api/queryClient";
import { type Outcome, runForEach } from "@/kit/data/runForEach";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { organizationsKey } from "@/model/queryKeys";
import { administration } from "@/texts/administration";
import { RoleSelect } from "../RoleChoice";
import { useOrganization, type Role, assignableBy } from "../useOrganization";
import classes from "./BulkActions.module.css";
import {
  inviteMember,
  updateMember,
  type InvitationAnswer,
  type Member,
  invitationsOf,
  membersOf,
} from "./queries";
import { showWorkingKeys } from "./WorkingKeys";

interface Props {
  chosen: Member[];
  onChanged: (outcomes: Outcome<Member, unknown>[]) => void;
  onInvited: (outcomes: Outcome<Member, InvitationAnswer>[]) => void;
}

const labels = administration.people;

/** What can be done with several people. */
export function BulkActions({ chosen, onChanged, onInvited }: Props) {
  const { organizationId } = useOrganization();
  const { run, progress } = useBulkChange();
  const [isNaming, setNaming] = useState(false);
  const change = async (content: { role?: Role; active?: boolean }) => {
    const outcomes = await run(chosen, (member) => updateMember(organizationId, member, content));
    onChanged(outcomes);
    if (content.active) {
      const reactivated = outcomes.filter((each) => each.reason === undefined).map((each) => each.item);
      await showWorkingKeys(organizationId, reactivated);
    }
  };
  const inviteAll = async () =>
    onInvited(await run(chosen, (member) => inviteMember(organizationId, member)));
  if (progress)
    return (
      <Text size="sm" role="status">
        {labels.changing(progress.done + 1, progress.of)}
      </Text>
    );
  return (
    <div className={classes.actions}>
      <Button size="compact-sm" variant="default" onClick={() => setNaming(true)}>
        {labels.changeRole}
      </Button>
      {chosen.some((each) => each.imported) && (
        <Button size="compact-sm" variant="default" onClick={() => void inviteAll()}>
          {labels.invite}
        </Button>
      )}
      {chosen.some((each) => each.active) && (
        <ConfirmButton
          question={labels.deactivateAll(chosen.length)}
          action={labels.deactivate}
          isDangerous
          onConfirm={() => void change({ active: false })}
        />
      )}
      {chosen.every((each) => !each.active) && (
        <Button size="compact-sm" variant="default" onClick={() => void change({ active: true })}>
          {labels.reactivate}
        </Button>
      )}
      {isNaming && (
        <BulkRoleDialog
          people={chosen.length}
          onClose={() => setNaming(false)}
          onChosen={(role) => {
            setNaming(false);
            void change({ role });
          }}
        />
      )}
    </div>
  );
}

interface Progress {
  done: number;
  of: number;
}

/** Run a change for several members, then read the lists again. `progress` is null while none runs. */
function useBulkChange() {
  const { organizationId } = useOrganization();
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = async <R,>(
    members: Member[],
    change: (member: Member) => Promise<R>,
  ): Promise<Outcome<Member, R>[]> => {
    try {
      return await runForEach(members, change, (done) => setProgress({ done, of: members.length }));
    } finally {
      setProgress(null);
      for (const { queryKey } of [membersOf(organizationId), invitationsOf(organizationId)])
        void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries({ queryKey: organizationsKey() });
    }
  };
  return { run, progress };
}

interface BulkRoleDialogProps {
  people: number;
  onClose: () => void;
  onChosen: (role: Role) => void;
}

/** The role that several people get. */
function BulkRoleDialog({ people, onClose, onChosen }: BulkRoleDialogProps) {
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
