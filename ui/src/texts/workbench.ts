import { count } from "./count";

const milliseconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** The health of a webhook, and the tools of its delivery log. */
export const workbench = {
  health: {
    title: "Health",
    period: "Period",
    periods: { hour: "48 hours", day: "30 days" },
    headings: { hour: "Hour", day: "Day" },
    rate: "Success rate",
    noRate: "No attempts",
    attempts: (n: number) => count(n, "attempt", "attempts"),
    failed: (n: number) => `${n.toLocaleString()} failed`,
    latest: "Response time, p95",
    latestHint: { hour: "in the latest hour", day: "on the latest day" },
    backlog: "Backlog",
    waiting: (n: number, isMore: boolean) => (isMore ? `${n.toLocaleString()}+` : n.toLocaleString()),
    nothingWaits: "Nothing waits",
    due: (n: number, since: string) => `${n.toLocaleString()} due, oldest ${since}`,
    underWay: (n: number) => `${n.toLocaleString()} in progress`,
    retrying: (n: number) => `${n.toLocaleString()} retrying`,
    replaying: (n: number) => `${n.toLocaleString()} replaying`,
    charts: {
      attempts: { hour: "Attempts per hour", day: "Attempts per day" },
      times: "Response time",
      timesHint: "Attempts with a response",
    },
    series: { succeeded: "Succeeded", failed: "Failed", p50: "p50", p95: "p95" },
    percent: (rate: number) =>
      rate === 1 ? "100%" : `${(Math.floor(rate * 1000) / 10).toLocaleString(undefined)}%`,
  },
  milliseconds,
  timing: {
    title: "Timing",
    reused: "Reused connection",
    stages: {
      resolve_ms: "Name lookup",
      connect_ms: "Connect",
      tls_ms: "TLS",
      wait_ms: "Wait",
      read_ms: "Read",
    },
  },
  curl: {
    action: "Copy as curl",
    done: (attempt: number) => `Copied attempt ${attempt} as a curl command`,
    placeholder: "<value>",
  },
  compare: {
    action: "Compare attempts",
    close: "Close comparison",
    title: "Comparison",
    left: "Attempt on the left",
    right: "Attempt on the right",
    choice: (attempt: number, status: number | string) => `#${attempt} · ${status}`,
    same: "The attempts are the same.",
    differences: (n: number) => count(n, "difference", "differences"),
    differs: "differs",
    rows: {
      status: "Status",
      error: "Error",
      attempted: "Time",
      duration: "Duration",
      connection: "Connection",
      new: "New",
      none: "–",
    },
    headers: "Request headers",
    response: "Response",
  },
  replay: {
    action: "Replay…",
    title: "Replay deliveries",
    hint: "Deliveries are sent again in order, ten per second, under the same IDs. Receivers recognize a repeated delivery by its ID.",
    period: "Created",
    periods: {
      "1": "In the last hour",
      "24": "In the last 24 hours",
      "168": "In the last 7 days",
      "720": "In the last 30 days",
      custom: "Between two times",
    },
    since: "From",
    until: "Before",
    status: "Status",
    statuses: { DELIVERY_STATUS_FAILED: "Failed", DELIVERY_STATUS_MISSED: "Missed" },
    choice: (status: string, n: number | undefined) =>
      n === undefined ? status : `${status} (${n.toLocaleString()})`,
    nothing: "There is nothing to replay.",
    takes: (n: number, seconds: number) =>
      `${count(n, "delivery", "deliveries")}, over about ${
        seconds < 120
          ? count(seconds, "second", "seconds")
          : count(Math.round(seconds / 60), "minute", "minutes")
      }`,
    confirm: (n: number | undefined) =>
      n === undefined ? "Replay" : `Replay ${count(n, "delivery", "deliveries")}`,
  },
};
