import { useElementSize } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { labelledPeriods, scaleOf, type Box } from "./chart";
import classes from "./Chart.module.css";
import type { Format, Period, Series } from "./series";

/** Where the parts of a chart are, in pixels. */
export interface Places {
  top: number;
  /** The field of a period's column. */
  column: (index: number) => Box;
  x: (index: number) => number;
  y: (value: number) => number;
}

export interface ChartProps {
  label: string;
  periods: Period[];
  series: Series[];
  format: Format;
}

interface Props extends ChartProps {
  highest: number;
  children: (places: Places, pointed: number | null) => ReactNode;
}

const HEIGHT = 190;
const BELOW = 24;
const ABOVE = 8;
const GAP = 8;

/** The axes of a chart, and the figures of the period under the pointer. The table has them for screen readers. */
export function ChartFrame({ label, periods, series, format, highest, children }: Props) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const { top, ticks } = scaleOf(highest);
  const left = GAP + 7 * Math.max(4, ...ticks.map((tick) => format(tick).length));
  const each = Math.max(0, width - left) / periods.length;
  const inner = HEIGHT - BELOW - ABOVE;
  const places: Places = {
    top,
    column: (index) => ({
      x: left + index * each + each * 0.16,
      y: ABOVE,
      width: each * 0.68,
      height: inner,
    }),
    x: (index) => left + (index + 0.5) * each,
    y: (value) => ABOVE + inner * (1 - value / top),
  };
  const named = labelledPeriods(periods.length, Math.max(1, width - left));
  const last = periods.length - 1;
  const shown = pointed === null ? undefined : periods[pointed];
  return (
    <div ref={ref} className={classes.chart} onPointerLeave={() => setPointed(null)}>
      <svg width={width} height={HEIGHT} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick} className={classes.tick}>
            <line x1={left} x2={width} y1={places.y(tick)} y2={places.y(tick)} />
            <text x={left - GAP} y={places.y(tick) + 4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {children(places, pointed)}
        {periods.map(({ key, short }, index) => (
          <g key={key}>
            {named.has(index) && (
              <text
                x={index === last ? width : places.x(index)}
                y={HEIGHT - 6}
                textAnchor={index === last ? "end" : "middle"}
              >
                {short}
              </text>
            )}
            <rect
              x={left + index * each}
              y={0}
              width={each}
              height={HEIGHT}
              className={classes.field}
              onPointerEnter={() => setPointed(index)}
            />
          </g>
        ))}
      </svg>
      {shown && (
        <div
          className={classes.tooltip}
          data-left={(pointed ?? 0) > periods.length / 2 || undefined}
          aria-hidden
        >
          <b>{shown.name}</b>
          {series.map(({ name, title, tone }) => (
            <span key={name}>
              <i className={classes[tone]} /> {title} <b>{shownValue(shown.values[name], format)}</b>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

export const shownValue = (value: number | null | undefined, format: Format): string =>
  value === null || value === undefined ? "–" : format(value);
