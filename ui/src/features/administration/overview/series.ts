import { administration } from "@/texts/administration";
import type { Day } from "./queries";

export interface Series {
  name: Exclude<keyof Day, "date">;
  title: string;
  tone: "main" | "good" | "quiet" | "bad" | "missed";
}

const labels = administration.overview.series;

export const MESSAGES: Series[] = [{ name: "messages", title: labels.messages, tone: "main" }];
export const PEOPLE: Series[] = [{ name: "people", title: labels.people, tone: "main" }];
export const DELIVERIES: Series[] = [
  { name: "deliveries_succeeded", title: labels.deliveries_succeeded, tone: "good" },
  { name: "deliveries_under_way", title: labels.deliveries_under_way, tone: "quiet" },
  { name: "deliveries_failed", title: labels.deliveries_failed, tone: "bad" },
  { name: "deliveries_missed", title: labels.deliveries_missed, tone: "missed" },
];
