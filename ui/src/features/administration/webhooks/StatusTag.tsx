import type { Tone } from "./model";
import classes from "./StatusTag.module.css";

/** A status in a word, with the colour that goes with it. */
export function StatusTag({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}
