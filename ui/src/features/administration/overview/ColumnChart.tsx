import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import { dayOf } from "./chart";
import { labelledDays, scaleOf, stack, type Box } from "./chart";
import classes from "./ColumnChart.module.css";
import type { Charted, Series } from "./series";

interface Props<Name extends string> {
  label: string;
  days: Charted<Name>[];
  /** From the bottom up. */
  series: Series<Name>[];
}

const HEIGHT = 190;
const BELOW = 24;
const LEFT = 40;

/** A stacked column per day. The table has the same figures for screen readers. */
export function ColumnChart<Name extends string>({ label, days, series }: Props<Name>) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const sums = days.map((day) => series.reduce((sum, { name }) => sum + day[name], 0));
  const { top, ticks } = scaleOf(Math.max(...sums));
  const each = Math.max(0, width - LEFT) / days.length;
  const names = labelledDays(days.length, Math.max(1, width - LEFT));
  const placeOf = (index: number): Box => ({
    x: LEFT + index * each + each * 0.16,
    y: 8,
    width: each * 0.68,
    height: HEIGHT - BELOW - 8,
  });
  const yOf = (value: number) => 8 + (HEIGHT - BELOW - 8) * (1 - value / top);
  const day = pointed === null ? undefined : days[pointed];
  return (
    <div ref={ref} className={classes.chart} onPointerLeave={() => setPointed(null)}>
      <svg width={width} height={HEIGHT} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick} className={classes.tick}>
            <line x1={LEFT} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text x={LEFT - 8} y={yOf(tick) + 4} textAnchor="end">
              {tick.toLocaleString(undefined, { notation: "compact" })}
            </text>
          </g>
        ))}
        {days.map((one, index) => (
          <g key={one.date} data-pointed={index === pointed || undefined} className={classes.column}>
            {stack(
              series.map(({ name }) => one[name]),
              top,
              placeOf(index),
            ).map((box, at) => (
              <rect key={series[at]?.name} {...box} className={classes[series[at]?.tone ?? "main"]} />
            ))}
            {names.has(index) && (
              <text
                x={index === days.length - 1 ? width : LEFT + (index + 0.5) * each}
                y={HEIGHT - 6}
                textAnchor={index === days.length - 1 ? "end" : "middle"}
              >
                {dayOf(one.date)}
              </text>
            )}
            <rect
              x={LEFT + index * each}
              y={0}
              width={each}
              height={HEIGHT}
              className={classes.field}
              onPointerEnter={() => setPointed(index)}
            />
          </g>
        ))}
      </svg>
      {day && (
        <div
          className={classes.tooltip}
          data-left={(pointed ?? 0) > days.length / 2 || undefined}
          aria-hidden
        >
          <b>{dayOf(day.date)}</b>
          {series.map(({ name, title, tone }) => (
            <span key={name}>
              <i className={classes[tone]} /> {title} <b>{day[name].toLocaleString()}</b>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
