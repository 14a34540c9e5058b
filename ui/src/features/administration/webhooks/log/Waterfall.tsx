import { workbench } from "@/texts/workbench";
import type { Attempt } from "../queries";
import { barsOf } from "./timing";
import classes from "./Waterfall.module.css";

const labels = workbench.timing;

/** The stages of an attempt, each as a bar where it began. */
export function Waterfall({ timing }: { timing: NonNullable<Attempt["timing"]> }) {
  const bars = barsOf(timing);
  if (bars.length === 0) return null;
  return (
    <div className={classes.waterfall}>
      <h4>
        {labels.title}
        {timing.reused && <span className={classes.reused}> · {labels.reused}</span>}
      </h4>
      <dl>
        {bars.map(({ stage, ms, start, length }) => (
          <div key={stage}>
            <dt>{labels.stages[stage]}</dt>
            <dd className={classes.track} aria-hidden>
              <span
                data-stage={stage}
                style={{ insetInlineStart: `min(${start}%, 100% - 2px)`, width: `max(2px, ${length}%)` }}
              />
            </dd>
            <dd className={classes.ms}>{workbench.milliseconds(ms)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
