import { administration } from "@/texts/administration";
import type { Day } from "./queries";

export interface Series {
  name: Exclude<keyof Day, "date">;
  title: string;
  tone: "main" | "good" | "quiet" | "bad" | "missed";
}

const said = administration.overview.series;

export const MESSAGES: Series[] = [{ name: "messages", title: said.messages, tone: "main" }];
export const PEOPLE: Series[] = [{ name: "people", title: said.people, tone: "main" }];
export const DELIVERIES: Series[] = [
  { name: "deliveries_succeeded", title: said.deliveries_succeeded, tone: "good" },
  { name: "deliveries_under_way", title: said.deliveries_under_way, tone: "quiet" },
  { name: "deliveries_failed", title: said.deliveries_failed, tone: "bad" },
  { name: "deliveries_missed", title: said.deliveries_missed, tone: "missed" },
];
