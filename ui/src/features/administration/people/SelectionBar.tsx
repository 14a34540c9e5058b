import { Button, Checkbox, Text } from "@mantine/core";
import type { Outcome } from "@/kit/data/runForEach";
import { administration } from "@/texts/administration";
import { BulkActions } from "./BulkActions";
import classes from "./BulkActions.module.css";
import type { InvitationAnswer, Member } from "./queries";
import type { useSelection } from "./selection";

interface Props {
  selection: ReturnType<typeof useSelection>;
  onChanged: (outcomes: Outcome<Member, unknown>[]) => void;
  onInvited: (outcomes: Outcome<Member, InvitationAnswer>[]) => void;
}

const labels = administration.people;

/** Selects all people of the list, and shows what can be done with those that are selected. */
export function SelectionBar({ selection, onChanged, onInvited }: Props) {
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
