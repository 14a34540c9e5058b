import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import type { AuditFilters } from "./filters";
import { queryOf } from "./filters";

export type Entry = Schemas["Entry"];

export const auditLogOf = (organizationId: string, filters: AuditFilters, limit = 50) =>
  infiniteQueryOptions({
    queryKey: ["administration", organizationId, "audit-log", filters, limit],
    initialPageParam: undefined as string | undefined,
    staleTime: 0,
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/audit-log", {
          params: {
            path: { organization_id: organizationId },
            query: { ...queryOf(filters), limit, cursor: pageParam },
          },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
