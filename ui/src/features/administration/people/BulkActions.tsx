import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import type { Outcome } from "@/kit/data/runForEach";
import { administration } from "@/texts/administration";
import { useOrganization, type Role } from "../useOrganization";
import { BulkRoleDialog } from "./BulkRoleDialog";
import classes from "./BulkActions.module.css";
import { inviteMember, updateMember, type InvitationAnswer, type Member } from "./queries";
import { useBulkChange } from "./useBulkChange";
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
