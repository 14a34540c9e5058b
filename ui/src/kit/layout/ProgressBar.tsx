import classes from "./ProgressBar.module.css";

interface Props {
  label: string;
  done: number;
  /** 0 while it is unknown. */
  total: number;
}

/** A native progress bar. */
export function ProgressBar({ label, done, total }: Props) {
  const known = total > 0 && { value: Math.min(done, total), max: total };
  return <progress className={classes.bar} aria-label={label} {...known} />;
}
