import type { Tone } from "./model";
import classes from "./StatusTag.module.css";

/** A status as a colored label. */
export function StatusTag({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}
