import { Button } from "@mantine/core";
import { Terminal } from "lucide-react";
import { ariaKeys } from "@/kit/input/keys";
import { SHORTCUTS } from "@/kit/input/shortcuts";
import { exactTime } from "@/kit/text/times";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import type { Attempt } from "../queries";
import { CodeBox } from "./CodeBox";
import classes from "./DeliveryDetails.module.css";
import { readable } from "./format";
import { barsOf } from "./timing";

interface Props {
  attempt: Attempt;
  /** Copies it as curl; absent where the body is not shown. */
  onCopy?: () => void;
  isLatest: boolean;
}

const labels = webhooks.log;

/** An attempt: how long its stages took, the headers sent, and the response. */
export function AttemptDetails({ attempt, onCopy, isLatest }: Props) {
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  const name = labels.attempt(attempt.attempt);
  return (
    <section className={classes.attempt}>
      <div className={classes.line}>
        <h3>
          {name} · {attempt.response_code ?? labels.noAnswer} · {labels.took(attempt.duration_ms)}
        </h3>
        {onCopy && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<Terminal size={14} aria-hidden />}
            aria-keyshortcuts={isLatest ? ariaKeys(SHORTCUTS.copyCurl.keys[0]) : undefined}
            onClick={onCopy}
          >
            {workbench.curl.action}
          </Button>
        )}
      </div>
      <p className={classes.more}>{exactTime(attempt.attempted_at)}</p>
      {attempt.error && <p className={classes.error}>{attempt.error}</p>}
      {attempt.timing && <Waterfall timing={attempt.timing} />}
      <h4>{labels.request}</h4>
      <CodeBox label={`${name}: ${labels.request}`}>{headers.join("\n")}</CodeBox>
      {attempt.response_code !== null && (
        <>
          <h4>{labels.response}</h4>
          {attempt.response_excerpt ? (
            <CodeBox label={`${name}: ${labels.response}`}>{readable(attempt.response_excerpt)}</CodeBox>
          ) : (
            <p className={classes.more}>{labels.emptyAnswer}</p>
          )}
        </>
      )}
    </section>
  );
}

const timingLabels = workbench.timing;

/** The stages of an attempt, each as a bar where it began. */
function Waterfall({ timing }: { timing: NonNullable<Attempt["timing"]> }) {
  const bars = barsOf(timing);
  if (bars.length === 0) return null;
  return (
    <div className={classes.waterfall}>
      <h4>
        {timingLabels.title}
        {timing.reused && <span className={classes.reused}> · {timingLabels.reused}</span>}
      </h4>
      <dl>
        {bars.map(({ stage, ms, start, length }) => (
          <div key={stage}>
            <dt>{timingLabels.stages[stage]}</dt>
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
