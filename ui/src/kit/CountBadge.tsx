import classes from "./CountBadge.module.css";

interface Props {
  count: number;
  isCapped?: boolean;
  /** Whether the count is meant for the reader in particular. */
  isStrong?: boolean;
  /** What is counted, for screen readers. */
  label: string;
}

/** The number of new entries behind a link. */
export function CountBadge({ count, isCapped, isStrong, label }: Props) {
  return (
    <span className={classes.count} data-strong={isStrong || undefined}>
      <span aria-hidden>{isCapped ? `${count}+` : count}</span>
      <span className={classes.hidden}>{label}</span>
    </span>
  );
}
