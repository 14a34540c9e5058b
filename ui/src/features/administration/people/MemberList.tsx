import { Button, Alert, Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { failuresOf, type Outcome } from "@/kit/data/runForEach";
import { EmptyState } from "@/kit/layout/EmptyState";
import { LongList } from "@/kit/layout/LongList";
import { Rows } from "@/kit/layout/Rows";
import { showNotice } from "@/kit/overlay/notices";
import { useProfile } from "@/model/people/queries";
import { administration } from "@/texts/administration";
import { hasRole, useOrganization } from "../useOrganization";
import { BulkActions } from "./BulkActions";
import classes from "./BulkActions.module.css";
import { InvitationResults } from "./InvitationResults";
import { MemberRow } from "./MemberRow";
import { invitedOf, type Invited, type Member, type InvitationAnswer } from "./queries";

const labels = administration.people;

/** The members, fifty at a time, because an organization can have thousands. Admins can select several. */
export function MemberList({ members }: { members: Member[] }) {
  const { role } = useOrganization();
  const { person_id: ownId } = useProfile();
  const [changed, setChanged] = useState<Outcome<Member, unknown>[]>([]);
  const [invited, setInvited] = useState<Invited[]>([]);
  const selection = useSelection(members, (each) => each.person_id !== ownId);
  if (members.length === 0) return <EmptyState title={labels.nobody} />;
  const refused = failuresOf(changed);
  const show = (outcomes: Outcome<Member, unknown>[]) => {
    setChanged(outcomes);
    const left = failuresOf(outcomes);
    selection.choose(left.map(({ item }) => item));
    if (left.length === 0) showNotice(labels.changedAll(outcomes.length));
  };
  return (
    <>
      {refused.length > 0 && (
        <FailedChangesAlert refused={refused} of={changed.length} onClose={() => setChanged([])} />
      )}
      {hasRole(role, "admin") && (
        <SelectionBar
          selection={selection}
          onChanged={show}
          onInvited={(outcomes) => setInvited(invitedOf(outcomes))}
        />
      )}
      <LongList of={members}>
        {(shown) => (
          <Rows label={administration.pages.people.title}>
            {shown.map((each) => (
              <MemberRow
                key={each.person_id}
                member={each}
                isSelected={selection.has(each)}
                onSelect={hasRole(role, "admin") ? () => selection.toggle(each) : undefined}
                onInvited={(one) => setInvited([one])}
              />
            ))}
          </Rows>
        )}
      </LongList>
      {invited.length > 0 && <InvitationResults invited={invited} onClose={() => setInvited([])} />}
    </>
  );
}

interface Props {
  refused: { item: Member; reason: string }[];
  /** The number of people that the change was for. */
  of: number;
  onClose: () => void;
}

/** The people that a change of several could not be made for, each with the reason. */
function FailedChangesAlert({ refused, of, onClose }: Props) {
  const labels = administration.people;
  return (
    <Alert
      color="orange"
      mb="sm"
      role="alert"
      title={labels.refused(refused.length, of)}
      withCloseButton
      closeButtonLabel={labels.closeResults}
      onClose={onClose}
    >
      <ul className={classes.refused}>
        {refused.map(({ item, reason }) => (
          <li key={item.person_id}>
            <bdi>{item.name}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

interface SelectionBarProps {
  selection: ReturnType<typeof useSelection>;
  onChanged: (outcomes: Outcome<Member, unknown>[]) => void;
  onInvited: (outcomes: Outcome<Member, InvitationAnswer>[]) => void;
}

/** Selects all people of the list, and shows what can be done with those that are selected. */
function SelectionBar({ selection, onChanged, onInvited }: SelectionBarProps) {
  const { possible, chosen, choose } = selection;
  const isAll = chosen.length > 0 && chosen.length === possible.length;
  if (possible.length === 0) return null;
  return (
    <div
      className={classes.bar}
      role="group"
      aria-label={labels.selection}
      data-active={chosen.length > 0 || undefined}
    >
      <label className={classes.check}>
        <Checkbox
          aria-label={labels.selectAll(possible.length)}
          checked={isAll}
          indeterminate={chosen.length > 0 && !isAll}
          onChange={() => choose(isAll ? [] : possible)}
        />
      </label>
      {chosen.length === 0 ? (
        <div className={classes.columns} aria-hidden>
          <span>{labels.selectAll(possible.length)}</span>
          <span>{labels.headings.joined}</span>
          <span>{labels.headings.role}</span>
        </div>
      ) : (
        <>
          <Text size="sm" fw={600} aria-live="polite">
            {labels.selected(chosen.length)}
          </Text>
          <BulkActions chosen={chosen} onChanged={onChanged} onInvited={onInvited} />
          <Button size="compact-sm" variant="subtle" onClick={() => choose([])}>
            {labels.clearSelection}
          </Button>
        </>
      )}
    </div>
  );
}

/** Return the members that are selected, of those that can be. */
function useSelection(members: Member[], canSelect: (member: Member) => boolean) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const possible = members.filter(canSelect);
  return {
    possible,
    chosen: possible.filter((each) => ids.has(each.person_id)),
    has: (member: Member) => ids.has(member.person_id),
    choose: (chosen: readonly Member[]) => setIds(new Set(chosen.map((each) => each.person_id))),
    toggle: (member: Member) => {
      const next = new Set(ids);
      if (!next.delete(member.person_id)) next.add(member.person_id);
      setIds(next);
    },
  };
}
