import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/layout/Loading";
import { workbench } from "@/texts/workbench";
import { ChartCard } from "../../charts/ChartCard";
import { HealthFigures } from "./HealthFigures";
import classes from "./HealthPanel.module.css";
import { periodsOf, RESULTS, summaryOf, TIMES } from "./health";
import { healthOf, type HealthBy, type Webhook } from "../queries";
import pageClasses from "../page/WebhookPages.module.css";

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
              sum={labels.charts.timesMore}
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
