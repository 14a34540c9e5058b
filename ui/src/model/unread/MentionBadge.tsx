import classes from "@/kit/layout/CountBadge.module.css";

/** The number of mentions, next to a badge whose label tells it to screen readers. */
export function MentionBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.count} data-strong aria-hidden>
      @{count}
    </span>
  );
}
