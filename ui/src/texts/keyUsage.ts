import { count } from "./count";

/** The texts of what a key was used for. */
export const keyUsage = {
  title: "Usage",
  of: (name: string) => `Usage of ${name}`,
  view: "View usage",
  viewAudit: "View audit log",
  hint: (since: string) => `Since ${since}. Days are in UTC.`,
  lately: (total: string, since: string) => `${total} since ${since}.`,
  perDay: "Requests per day",
  total: (requests: number, forbidden: number, limited: number) =>
    [
      count(requests, "request", "requests"),
      ...(forbidden > 0 ? [`${forbidden.toLocaleString()} forbidden`] : []),
      ...(limited > 0 ? [`${limited.toLocaleString()} over the rate limit`] : []),
    ].join(", "),
  series: { allowed: "Allowed", forbidden: "Forbidden (403)", limited: "Over the rate limit (429)" },
  period: "Period",
  periods: { "7": "7 days", "30": "30 days", "90": "90 days" },
  routes: "Requests by route",
  columns: {
    route: "Route",
    scope: "Scope",
    requests: "Requests",
    forbidden: "Forbidden",
    limited: "Limited",
    last: "Last",
  },
  columnsHint: {
    requests: "All requests",
    forbidden: "Rejected with 403",
    limited: "Rejected with 429, by the rate limit",
  },
  noScope: "None needed",
  allScopes: "Full access",
  none: (since: string) => `No requests counted since ${since}`,
  noneHint: "Requests appear here a few seconds after they were made.",
  addresses: "IP addresses",
  addressesHint: "The last 20 that the key was used from.",
  seen: (when: string) => `Last seen ${when}`,
};
