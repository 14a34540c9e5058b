import classes from "./StatusTag.module.css";

export type Tone = "good" | "bad" | "warn" | "quiet";

/** A status as a colored label. */
export function StatusTag({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}
