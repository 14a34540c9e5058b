import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { administration } from "@/texts/administration";
import classes from "./ChartCard.module.css";
import { ColumnChart } from "./ColumnChart";
import chart from "./ColumnChart.module.css";
import { DayTable } from "./DayTable";
import type { Charted, Series } from "./series";

interface Props<Name extends string> {
  title: string;
  /** The total. */
  sum: string;
  days: Charted<Name>[];
  series: Series<Name>[];
}

const labels = administration.overview;

/** A chart with its total, which can be shown as a table. */
export function ChartCard<Name extends string>({ title, sum, days, series }: Props<Name>) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <h3 id={id}>{title}</h3>
          <p>{sum}</p>
        </div>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
          {isTable ? labels.asChart : labels.asTable}
        </Button>
      </div>
      {isTable ? (
        <DayTable label={title} days={days} series={series} />
      ) : (
        <ColumnChart label={`${title}: ${sum}`} days={days} series={series} />
      )}
      {series.length > 1 && !isTable && (
        <ul className={classes.legend}>
          {series.map(({ name, title: what, tone }) => (
            <li key={name}>
              <i className={chart[tone]} aria-hidden /> {what}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
