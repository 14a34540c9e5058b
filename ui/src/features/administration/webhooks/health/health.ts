import { workbench } from "@/texts/workbench";
import { dayOf } from "../../charts/chart";
import type { Period, Series } from "../../charts/series";
import type { Health, HealthBy } from "../queries";

const labels = workbench.health;
const hour = new Intl.DateTimeFormat(undefined, { hour: "numeric" });
const dayAndHour = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

export const RESULTS: Series[] = [
  { name: "succeeded", title: labels.series.succeeded, tone: "good" },
  { name: "failed", title: labels.series.failed, tone: "bad" },
];

export const TIMES: Series[] = [
  { name: "p50_ms", title: labels.series.p50, tone: "quiet" },
  { name: "p95_ms", title: labels.series.p95, tone: "main" },
];

type PeriodHealth = Health["health"][number];

/** Return the periods of the health as those of a chart: hours in local time, days in UTC. */
export const periodsOf = (health: PeriodHealth[], by: HealthBy): Period[] =>
  health.map(({ from, succeeded, failed, p50_ms, p95_ms }) => ({
    key: from,
    short: by === "day" ? dayOf(from.slice(0, 10)) : hour.format(new Date(from)),
    name: by === "day" ? dayOf(from.slice(0, 10)) : dayAndHour.format(new Date(from)),
    values: { succeeded, failed, p50_ms, p95_ms },
  }));

export interface Summary {
  attempts: number;
  failed: number;
  rate: number | null;
  /** Of the latest period with a response. */
  p95: number | null;
}

/** Return the figures of all periods together. */
export function summaryOf(health: PeriodHealth[]): Summary {
  const attempts = health.reduce((sum, each) => sum + each.attempts, 0);
  const failed = health.reduce((sum, each) => sum + each.failed, 0);
  const p95 = health.findLast((each) => each.p95_ms !== null)?.p95_ms ?? null;
  return { attempts, failed, rate: attempts > 0 ? (attempts - failed) / attempts : null, p95 };
}

/** Return how many deliveries wait in all. */
export const waitingIn = ({ due, under_way, retrying, replaying }: Health["backlog"]): number =>
  due + under_way + retrying + replaying;
