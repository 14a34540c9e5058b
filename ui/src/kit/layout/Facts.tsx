import type { ReactNode } from "react";
import classes from "./Facts.module.css";

interface Props {
  /** For facts that are lines of text rather than a few words. */
  isWide?: boolean;
  /** A `Fact` each. */
  children: ReactNode;
}

/** What is to know of something, in as many columns as fit. */
export function Facts({ isWide, children }: Props) {
  return (
    <dl className={classes.facts} data-wide={isWide || undefined}>
      {children}
    </dl>
  );
}

/** A fact with its label; the children are one or several `dd`. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      {children}
    </div>
  );
}
