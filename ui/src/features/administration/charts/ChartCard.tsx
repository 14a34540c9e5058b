import { Button, Table } from "@mantine/core";
import { useId, useState } from "react";
import { administration } from "@/texts/administration";
import { stack, runs } from "./chart";
import chart from "./Chart.module.css";
import classes from "./ChartCard.module.css";
import { type ChartProps, shownValue, ChartFrame } from "./ChartFrame";
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
export function ChartCard({ title, sum, periods, series, ...options }: Props) {
  const { heading = labels.day, format = asCount, kind = "columns" } = options;
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

interface PeriodTableProps extends ChartProps {
  /** The heading of the periods, such as "Day". */
  heading: string;
}

/** The values of a chart as a table, newest period first. */
function PeriodTable({ label, heading, periods, series, format }: PeriodTableProps) {
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing={5} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{heading}</Table.Th>
            {series.map(({ name, title }) => (
              <Table.Th key={name} scope="col" ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {periods.toReversed().map(({ key, name: period, values }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {period}
              </Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {shownValue(values[name], format)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** A stacked column per period. */
function ColumnChart(props: ChartProps) {
  const { periods, series } = props;
  const columns = periods.map(({ values }) => series.map(({ name }) => values[name] ?? 0));
  const highest = Math.max(...columns.map((values) => values.reduce((sum, value) => sum + value, 0)));
  return (
    <ChartFrame {...props} highest={highest}>
      {({ top, column }, pointed) =>
        columns.map((values, index) => (
          <g key={periods[index]?.key} data-pointed={index === pointed || undefined} className={chart.column}>
            {stack(values, top, column(index)).map((box, at) => (
              <rect key={series[at]?.name} {...box} className={chart[series[at]?.tone ?? "main"]} />
            ))}
          </g>
        ))
      }
    </ChartFrame>
  );
}

/** A line per series, interrupted where a period has no value. */
function LineChart(props: ChartProps) {
  const { periods, series } = props;
  const lines = series.map(({ name }) => periods.map(({ values }) => values[name] ?? null));
  return (
    <ChartFrame {...props} highest={Math.max(...lines.flat().map((value) => value ?? 0))}>
      {({ x, y }, pointed) =>
        series.map(({ name, tone }, at) => (
          <g key={name} className={chart.line} data-tone={tone}>
            {runs(lines[at] ?? []).map((run) => (
              <polyline
                key={run[0]?.index}
                points={run.map(({ index, value }) => `${x(index)},${y(value)}`).join(" ")}
              />
            ))}
            {runs(lines[at] ?? []).flatMap((run) =>
              run
                .filter(({ index }) => run.length === 1 || index === pointed)
                .map(({ index, value }) => <circle key={index} cx={x(index)} cy={y(value)} r={3} />),
            )}
          </g>
        ))
      }
    </ChartFrame>
  );
}
