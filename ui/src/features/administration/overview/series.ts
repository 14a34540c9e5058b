import { administration } from "@/texts/administration";
import type { Series } from "../charts/series";
import type { Day } from "./queries";

const labels = administration.overview.series;

export interface DaySeries extends Series {
  name: Exclude<keyof Day, "date">;
}

export const MESSAGES: DaySeries[] = [{ name: "messages", title: labels.messages, tone: "main" }];
export const PEOPLE: DaySeries[] = [{ name: "people", title: labels.people, tone: "main" }];
export const DELIVERIES: DaySeries[] = [
  { name: "deliveries_succeeded", title: labels.deliveries_succeeded, tone: "good" },
  { name: "deliveries_under_way", title: labels.deliveries_under_way, tone: "quiet" },
  { name: "deliveries_failed", title: labels.deliveries_failed, tone: "bad" },
  { name: "deliveries_missed", title: labels.deliveries_missed, tone: "missed" },
];
