import { describe, expect, it } from "vitest";
import { changedFields } from "./changes";
import { auditFiltersOf, exportAddress, queryOf } from "./filters";

describe("the filters of the audit trail", () => {
  it("are those that the address names, and no others", () => {
    expect(auditFiltersOf({ action: "space", from: "2026-01-02", other: "x", to: "" })).toEqual({
      action: "space",
      from: "2026-01-02",
    });
  });

  it("take in the whole of the last day", () => {
    const { since, until } = queryOf({ from: "2026-01-02", to: "2026-01-02" });
    expect(new Date(since ?? "").getTime()).toBe(new Date(2026, 0, 2).getTime());
    expect(new Date(until ?? "").getTime()).toBe(new Date(2026, 0, 3).getTime());
  });

  it("leave out a day that is none", () => {
    expect(queryOf({ from: "soon" }).since).toBeUndefined();
  });

  it("are the export's too", () => {
    expect(exportAddress("o", {}, "csv")).toBe("/v1/organizations/o/audit-log/export?format=csv");
    expect(exportAddress("o", { action: "a&b" }, "jsonl")).toBe(
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
