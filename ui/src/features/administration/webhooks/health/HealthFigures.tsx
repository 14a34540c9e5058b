import { formatRelative } from "@/kit/text/times";
import { workbench } from "@/texts/workbench";
import classes from "./HealthPanel.module.css";
import { summaryOf, waitingIn } from "./health";
import type { Health, HealthBy } from "../queries";

const labels = workbench.health;

/** The success rate, the latest response time and the backlog. */
export function HealthFigures({ health, by }: { health: Health; by: HealthBy }) {
  const { attempts, failed, rate, p95 } = summaryOf(health.health);
  const { backlog } = health;
  return (
    <ul className={classes.figures}>
      <li>
        <span>{labels.rate}</span>
        <b>{rate === null ? "–" : labels.percent(rate)}</b>
        <small>
          {attempts === 0 ? labels.noRate : `${labels.attempts(attempts)}, ${labels.failed(failed)}`}
        </small>
      </li>
      <li>
        <span>{labels.latest}</span>
        <b>{p95 === null ? "–" : workbench.milliseconds(p95)}</b>
        <small>{labels.latestMore[by]}</small>
      </li>
      <li>
        <span>{labels.backlog}</span>
        <b>{labels.waiting(waitingIn(backlog), backlog.has_more)}</b>
        <small data-late={backlog.due > 0 || undefined}>
          {partsOf(backlog).join(" · ") || labels.nothingWaits}
        </small>
      </li>
    </ul>
  );
}

function partsOf(backlog: Health["backlog"]): string[] {
  const { due, under_way, retrying, replaying, oldest_due_at } = backlog;
  return [
    due > 0 && labels.due(due, formatRelative(oldest_due_at ?? "", new Date())),
    under_way > 0 && labels.underWay(under_way),
    retrying > 0 && labels.retrying(retrying),
    replaying > 0 && labels.replaying(replaying),
  ].flatMap((part) => part || []);
}
