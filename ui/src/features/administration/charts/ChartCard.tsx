import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { administration } from "@/texts/administration";
import classes from "./ChartCard.module.css";
import chart from "./Chart.module.css";
import { ColumnChart } from "./ColumnChart";
import { LineChart } from "./LineChart";
import { PeriodTable } from "./PeriodTable";
import { asCount, type Format, type Period, type Series } from "./series";

interface Props {
  title: string;
  /** The total. */
  sum: string;
  periods: Period[];
  /** From the bottom up. */
  series: Series[];
  /** The heading of the periods in the table; "Day" unless given. */
  heading?: string;
  format?: Format;
  kind?: "columns" | "lines";
}

const labels = administration.charts;

/** A chart with its total, which can be shown as a table. */
export function ChartCard({ title, sum, periods, series, ...more }: Props) {
  const { heading = labels.day, format = asCount, kind = "columns" } = more;
  const [isTable, setTable] = useState(false);
  const id = useId();
  const Chart = kind === "columns" ? ColumnChart : LineChart;
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
        <PeriodTable label={title} {...{ heading, periods, series, format }} />
      ) : (
        <Chart label={`${title}: ${sum}`} {...{ periods, series, format }} />
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
