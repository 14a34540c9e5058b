import { administration } from "@/texts/administration";
import classes from "./Counters.module.css";
import type { Overview } from "./queries";

const labels = administration.overview;
const SHOWN = ["active_people", "integrations", "spaces", "rooms"] as const;

/** The current numbers of people, integrations, spaces and rooms. */
export function Counters({ counts }: { counts: Overview["counts"] }) {
  const more = [
    counts.invited_people > 0 && labels.invited(counts.invited_people),
    counts.deactivated_people > 0 && labels.deactivated(counts.deactivated_people),
  ].filter(Boolean);
  return (
    <dl className={classes.figures} aria-label={labels.now}>
      {SHOWN.map((name) => (
        <div key={name}>
          <dt>{labels.counts[name]}</dt>
          <dd>{counts[name].toLocaleString()}</dd>
          {name === "active_people" && more.length > 0 && (
            <dd className={classes.more}>{more.join(" · ")}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}
