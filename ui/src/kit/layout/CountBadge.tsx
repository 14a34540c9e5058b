import classes from "./CountBadge.module.css";

interface Props {
  count: number;
  isCapped?: boolean;
  /** What is shown instead of the number alone. */
  text?: (count: string) => string;
  /** Whether the count is meant for the reader in particular. */
  isStrong?: boolean;
  /** What is counted, for screen readers. */
  label: string;
}

/** The number of new entries behind a link. */
export function CountBadge({ count, isCapped, text = String, isStrong, label }: Props) {
  return (
    <span className={classes.count} data-strong={isStrong || undefined}>
      <span aria-hidden>{text(isCapped ? `${count}+` : `${count}`)}</span>
      <span className={classes.hidden}>{label}</span>
    </span>
  );
}
