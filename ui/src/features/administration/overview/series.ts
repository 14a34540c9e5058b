import { administration } from "@/texts/administration";
import type { Day } from "./queries";

/** One of the values that are stacked in a chart. */
export interface Series<Name extends string = Exclude<keyof Day, "date">> {
  name: Name;
  title: string;
  tone: "main" | "good" | "quiet" | "bad" | "missed";
}

/** The values of a day (UTC). */
export type Charted<Name extends string> = { date: string } & Record<Name, number>;

const labels = administration.overview.series;

export const MESSAGES: Series[] = [{ name: "messages", title: labels.messages, tone: "main" }];
export const PEOPLE: Series[] = [{ name: "people", title: labels.people, tone: "main" }];
export const DELIVERIES: Series[] = [
  { name: "deliveries_succeeded", title: labels.deliveries_succeeded, tone: "good" },
  { name: "deliveries_under_way", title: labels.deliveries_under_way, tone: "quiet" },
  { name: "deliveries_failed", title: labels.deliveries_failed, tone: "bad" },
  { name: "deliveries_missed", title: labels.deliveries_missed, tone: "missed" },
];
