import { dayOf } from "./chart";

/** A part of a chart's columns, or a line. */
export interface Series {
  name: string;
  title: string;
  tone: "main" | "good" | "quiet" | "bad" | "missed";
}

/** A day or an hour of a chart; null where there is nothing to show. */
export interface Period {
  key: string;
  /** Below the chart, where there is room. */
  short: string;
  name: string;
  values: Record<string, number | null>;
}

/** Return days (UTC) as periods of a chart. */
export const periodsOf = <Day extends { date: string } & Record<keyof Day, number | string>>(
  days: readonly Day[],
): Period[] =>
  days.map(({ date, ...values }) => ({
    key: date,
    short: dayOf(date),
    name: dayOf(date),
    values: values as unknown as Record<string, number>,
  }));

export type Format = (value: number) => string;

export const asCount: Format = (value) => value.toLocaleString();
