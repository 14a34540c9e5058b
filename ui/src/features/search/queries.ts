import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { answered } from "@/api/refusal";

export type SearchResult = Schemas["SearchResult"];

export const searchFor = (organizationId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ["search", organizationId, q],
    initialPageParam: undefined as string | undefined,
    staleTime: 10_000,
    queryFn: ({ pageParam }): Promise<Schemas["SearchResultList"]> =>
      answered(
        api.GET("/v2/organizations/{organization_id}/search", {
          params: { path: { organization_id: organizationId }, query: { q, limit: 30, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
