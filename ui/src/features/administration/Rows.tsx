import type { ReactNode } from "react";
import classes from "./Rows.module.css";

/** A list of things, each with what is to be known of it and what can be done with it. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}
