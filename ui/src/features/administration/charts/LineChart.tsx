import { runs } from "./chart";
import classes from "./Chart.module.css";
import { ChartFrame, type ChartProps } from "./ChartFrame";

/** A line per series, interrupted where a period has no value. */
export function LineChart(props: ChartProps) {
  const { periods, series } = props;
  const lines = series.map(({ name }) => periods.map(({ values }) => values[name] ?? null));
  return (
    <ChartFrame {...props} highest={Math.max(...lines.flat().map((value) => value ?? 0))}>
      {({ x, y }, pointed) =>
        series.map(({ name, tone }, at) => (
          <g key={name} className={classes.line} data-tone={tone}>
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
