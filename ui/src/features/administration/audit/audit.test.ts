import { describe, expect, it } from "vitest";
import { changedFields } from "./changes";
import { auditFiltersOf, exportUrl, queryOf } from "./filters";

describe("the audit log's filters", () => {
  it("are those in the URL, and no others", () => {
    expect(auditFiltersOf({ action: "space", from: "2026-01-02", other: "x", to: "" })).toEqual({
      action: "space",
      from: "2026-01-02",
    });
  });

  it("include the last day", () => {
    const { since, until } = queryOf({ from: "2026-01-02", to: "2026-01-02" });
    expect(new Date(since ?? "").getTime()).toBe(new Date(2026, 0, 2).getTime());
    expect(new Date(until ?? "").getTime()).toBe(new Date(2026, 0, 3).getTime());
  });

  it("ignore an invalid day", () => {
    expect(queryOf({ from: "soon" }).since).toBeUndefined();
  });

  it("apply to the export", () => {
    expect(exportUrl("o", {}, "csv")).toBe("/v1/organizations/o/audit-log/export?format=csv");
    expect(exportUrl("o", { action: "a&b" }, "jsonl")).toBe(
      "/v1/organizations/o/audit-log/export?action=a%26b&format=jsonl",
    );
  });
});

it("a change shows each field with both sides", () => {
  const entry = { before: { name: "a", spaces: [] }, after: { name: "b", role: "admin" } };
  expect(changedFields(entry)).toEqual([
    { name: "name", before: "a", after: "b" },
    { name: "spaces", before: "[]", after: null },
    { name: "role", before: null, after: "admin" },
  ]);
});
