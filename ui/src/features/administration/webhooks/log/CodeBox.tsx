import classes from "./DeliveryDetails.module.css";

/** Preformatted text, scrollable with the keyboard. */
export function CodeBox({ label, children }: { label: string; children: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}
