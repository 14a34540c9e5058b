import classes from "./DeliveryDetails.module.css";

/** Text as it came, which scrolls by keyboard too where it is long. */
export function CodeBox({ label, children }: { label: string; children: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}
