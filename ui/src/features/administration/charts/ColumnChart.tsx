import { stack } from "./chart";
import classes from "./Chart.module.css";
import { ChartFrame, type ChartProps } from "./ChartFrame";

/** A stacked column per period. */
export function ColumnChart(props: ChartProps) {
  const { periods, series } = props;
  const columns = periods.map(({ values }) => series.map(({ name }) => values[name] ?? 0));
  const highest = Math.max(...columns.map((values) => values.reduce((sum, value) => sum + value, 0)));
  return (
    <ChartFrame {...props} highest={highest}>
      {({ top, column }, pointed) =>
        columns.map((values, index) => (
          <g
            key={periods[index]?.key}
            data-pointed={index === pointed || undefined}
            className={classes.column}
          >
            {stack(values, top, column(index)).map((box, at) => (
              <rect key={series[at]?.name} {...box} className={classes[series[at]?.tone ?? "main"]} />
            ))}
          </g>
        ))
      }
    </ChartFrame>
  );
}
