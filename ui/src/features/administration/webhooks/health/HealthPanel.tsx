import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/layout/Loading";
import { formatRelative } from "@/kit/text/times";
import { workbench } from "@/texts/workbench";
import { ChartCard } from "../../charts/ChartCard";
import pageClasses from "../page/WebhookPages.module.css";
import { healthOf, type HealthBy, type Webhook, type Health } from "../queries";
import { periodsOf, RESULTS, summaryOf, TIMES, waitingIn } from "./health";
import classes from "./HealthPanel.module.css";

const labels = workbench.health;

/** How many attempts succeeded and how long responses took, by hour or day, and what waits. */
export function HealthPanel({ webhook }: { webhook: Webhook }) {
  const [by, setBy] = useState<HealthBy>("hour");
  const { data, error } = useQuery(healthOf(webhook.organization_id, webhook.id, by));
  const periods = data && periodsOf(data.health, by);
  const { attempts, failed } = summaryOf(data?.health ?? []);
  const heading = labels.headings[by];
  return (
    <section aria-labelledby="health" className={classes.panel}>
      <div className={classes.head}>
        <h2 id="health" className={pageClasses.section}>
          {labels.title}
        </h2>
        <SegmentedControl
          size="xs"
          aria-label={labels.period}
          value={by}
          onChange={(value) => setBy(value as HealthBy)}
          data={Object.entries(labels.periods).map(([value, label]) => ({ value, label }))}
        />
      </div>
      {error && !data && <p role="alert">{messageOf(error)}</p>}
      {!data && !error && <Loading />}
      {data && periods && (
        <>
          <HealthFigures health={data} by={by} />
          <div className={classes.charts}>
            <ChartCard
              title={labels.charts.attempts[by]}
              sum={`${labels.attempts(attempts)}, ${labels.failed(failed)}`}
              series={RESULTS}
              {...{ periods, heading }}
            />
            <ChartCard
              title={labels.charts.times}
              sum={labels.charts.timesHint}
              series={TIMES}
              format={workbench.milliseconds}
              kind="lines"
              {...{ periods, heading }}
            />
          </div>
        </>
      )}
    </section>
  );
}

/** The success rate, the latest response time and the backlog. */
function HealthFigures({ health, by }: { health: Health; by: HealthBy }) {
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
        <small>{labels.latestHint[by]}</small>
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
