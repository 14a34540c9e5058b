import { expect, it } from "vitest";
import { summaryOf } from "./health";

it("the summary counts all periods and takes the latest response time", () => {
  const period = {
    from: "",
    attempts: 0,
    succeeded: 0,
    failed: 0,
    success_rate: null,
    p50_ms: null,
    p95_ms: null,
  };
  const busy = { ...period, attempts: 4, succeeded: 3, failed: 1, p95_ms: 70 };
  expect(summaryOf([busy, busy, period])).toEqual({ attempts: 8, failed: 2, rate: 0.75, p95: 70 });
  expect(summaryOf([period])).toEqual({ attempts: 0, failed: 0, rate: null, p95: null });
});
