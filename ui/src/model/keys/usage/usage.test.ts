import { expect, test } from "vitest";
import { utcDay } from "@/kit/text/times";
import { countedSince, daysOf, routesOf, type KeyUsage } from "./usage";

const entry = (day: string, route: string, requests: number, fields = {}) => ({
  ...{ day, method: "GET", route, scope: "messages:read" as const, needs_all_scopes: false, requests },
  ...{ forbidden: 0, limited: 0, ...fields },
});
const USAGE: KeyUsage = {
  counted_since: "2026-02-20T23:30:00.000Z",
  usage: [
    entry("2026-03-01", "/v2/rooms", 10, { forbidden: 2, limited: 1 }),
    entry("2026-03-01", "/v1/spaces", 4),
    entry("2026-02-27", "/v2/rooms", 5),
    entry("2026-02-20", "/v1/audit-log", 30),
  ],
  addresses: [],
  unused_scopes: [],
};

test("each day is there once, also one without requests, and its parts add up to its requests", () => {
  expect(daysOf(USAGE, 4, new Date("2026-03-01T23:59:59Z"))).toEqual([
    { date: "2026-02-26", allowed: 0, forbidden: 0, limited: 0 },
    { date: "2026-02-27", allowed: 5, forbidden: 0, limited: 0 },
    { date: "2026-02-28", allowed: 0, forbidden: 0, limited: 0 },
    { date: "2026-03-01", allowed: 11, forbidden: 2, limited: 1 },
  ]);
});

test("the day since when requests are counted is in UTC, as the days of the requests are", () => {
  expect(countedSince(USAGE)).toBe(utcDay("2026-02-20"));
});

test("routes are added up over the days of the period, the most used first", () => {
  expect(routesOf(USAGE).map(({ route, requests }) => [route, requests])).toEqual([
    ["/v1/audit-log", 30],
    ["/v2/rooms", 15],
    ["/v1/spaces", 4],
  ]);
  expect(routesOf(USAGE, "2026-02-28").map(({ route, requests }) => [route, requests])).toEqual([
    ["/v2/rooms", 10],
    ["/v1/spaces", 4],
  ]);
  expect(routesOf(USAGE)[1]).toMatchObject({ forbidden: 2, limited: 1, lastDay: "2026-03-01" });
});
