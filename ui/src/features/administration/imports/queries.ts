import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

export type Import = Schemas["Import"];
export type Counts = Schemas["ImportCounts"];

export const importsKey = (organizationId: string) => ["administration", organizationId, "imports"];

/** Return whether the server works on the import, so that its progress changes. */
export const isWorkedOn = ({ status }: Import) => status === "checking" || status === "importing";

/** Return the imports, newest first. */
export const importsOf = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: importsKey(organizationId),
    initialPageParam: undefined as string | undefined,
    staleTime: 0,
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/imports", {
          params: { path: { organization_id: organizationId }, query: { limit: 20, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

const pathOf = (organizationId: string, importId: string) => ({
  path: { organization_id: organizationId, import_id: importId },
});

export const startImport = (organizationId: string, importId: string) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/imports/{import_id}/start", {
      params: pathOf(organizationId, importId),
    }),
  );

export const cancelImport = (organizationId: string, importId: string) =>
  unwrap(
    api.DELETE("/v1/organizations/{organization_id}/imports/{import_id}", {
      params: pathOf(organizationId, importId),
    }),
  );
