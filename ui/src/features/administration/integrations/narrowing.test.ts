import { expect, test } from "vitest";
import { ALL_SCOPES } from "@/model/keys/limits";
import { daysLeft, narrowingOf } from "./narrowing";

const usage = (needed: string[], needsAll = false, forbidden = 0) => ({
  usage: [
    {
      ...{ day: "2026-11-21", method: "GET", route: "/v1/x", scope: null, needs_all_scopes: needsAll },
      ...{ requests: 3, forbidden, limited: 0 },
    },
  ],
  counted_since: "2026-11-20T00:00:00.000Z",
  addresses: [],
  unused_scopes: ALL_SCOPES.filter((each) => !needed.includes(each)),
});

test("a key keeps the scopes that it needed and loses the others", () => {
  const given = usage(["search"]);
  const own = { ...given, unused_scopes: ["messages:read" as const] };
  expect(narrowingOf({ scopes: ["messages:read", "search"] }, own)).toEqual({
    left: ["search"],
    removed: ["messages:read"],
  });
  expect(narrowingOf({ scopes: null }, given)).toEqual({ left: ["search"], removed: null });
});

test("a key that needed all, or nothing, is not narrowed", () => {
  expect(narrowingOf({ scopes: ["search"] }, { ...usage([]), unused_scopes: ["search"] })).toBeNull();
  expect(narrowingOf({ scopes: ["search"] }, { ...usage([]), unused_scopes: [] })).toBeNull();
  expect(narrowingOf({ scopes: null }, usage([]))).toBeNull();
  expect(narrowingOf({ scopes: null }, usage(["search"], true))).toBeNull();
  expect(narrowingOf({ scopes: null }, usage(["search"], true, 3))).not.toBeNull(); // it was not allowed to anyway
});

test("the days left are those that are complete, of all since the key was created", () => {
  const known = { created_at: "2026-11-01T00:00:00.000Z", expires_at: "2026-12-01T00:00:00.000Z" };
  expect(daysLeft(known, new Date("2026-11-20T01:00:00Z"))).toEqual({ left: 10, of: 30 });
  expect(daysLeft(known, new Date("2026-12-02T00:00:00Z"))).toEqual({ left: 0, of: 30 });
  expect(daysLeft({ ...known, expires_at: null }, new Date())).toBeNull();
});
