import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { unwrap } from "@/api/errors";

export const firstStepsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "first-steps"],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/first-steps", {
          params: { path: { organization_id: organizationId } },
        }),
      ),
  });
