interface Sides {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface ChangedField {
  name: string;
  before: string | null;
  after: string | null;
}

/** Return the changed fields of an entry with their values before and after; null where a side is missing. */
export function changedFields({ before, after }: Sides): ChangedField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({
    name,
    before: before && name in before ? shown(before[name]) : null,
    after: after && name in after ? shown(after[name]) : null,
  }));
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
