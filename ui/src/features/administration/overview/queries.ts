import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

export type Overview = Schemas["Overview"];
export type Day = Overview["days"][number];

export const overviewOf = (organizationId: string, days: number) =>
  queryOptions({
    queryKey: ["administration", organizationId, "overview", days],
    staleTime: 30_000,
    queryFn: () =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/overview", {
          params: { path: { organization_id: organizationId }, query: { days } },
        }),
      ),
  });
