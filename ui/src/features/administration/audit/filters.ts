/**
 * The filters of the audit log. Days are in local time. They are part of the URL, so a view can be bookmarked and
 * shared.
 */
export interface AuditFilters {
  action?: string;
  actor?: string;
  target?: string;
  key?: string;
  from?: string;
  to?: string;
}

export const FILTERS = ["action", "actor", "target", "key", "from", "to"] as const;

/** Return the filters in a URL. */
export function auditFiltersOf(given: Record<string, unknown>): AuditFilters {
  const named = FILTERS.filter((each) => given[each]).map((each) => [each, String(given[each])]);
  return Object.fromEntries(named) as AuditFilters;
}

interface Query {
  action?: string;
  actor_id?: string;
  target_id?: string;
  api_key_id?: string;
  since?: string;
  until?: string;
}

/** Return the filters as API parameters: from the start of the first day to the end of the last. */
export function queryOf({ action, actor, target, key, from, to }: AuditFilters): Query {
  return {
    ...(action && { action }),
    ...(actor && { actor_id: actor }),
    ...(target && { target_id: target }),
    ...(key && { api_key_id: key }),
    ...(from && { since: startOfDay(from, 0) }),
    ...(to && { until: startOfDay(to, 1) }),
  };
}

export const FORMATS = ["csv", "jsonl"] as const;

/** Return the URL of the filtered entries as a file. */
export function exportUrl(
  organizationId: string,
  filters: AuditFilters,
  format: (typeof FORMATS)[number],
): string {
  const query = new URLSearchParams({ ...queryOf(filters), format }).toString();
  return `/v1/organizations/${organizationId}/audit-log/export?${query}`;
}

function startOfDay(day: string, offsetDays: number): string | undefined {
  const [year, month, date] = day.split("-").map(Number);
  const at = new Date(year ?? NaN, (month ?? NaN) - 1, (date ?? NaN) + offsetDays);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
