import { Alert } from "@mantine/core";
import { administration } from "@/texts/administration";
import classes from "./BulkActions.module.css";
import type { Member } from "./queries";

interface Props {
  refused: { item: Member; reason: string }[];
  /** The number of people that the change was for. */
  of: number;
  onClose: () => void;
}

/** The people that a change of several could not be made for, each with the reason. */
export function FailedChangesAlert({ refused, of, onClose }: Props) {
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
