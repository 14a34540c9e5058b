import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

/** Highlights are pairs of positions; the generated types have lists of numbers. */
export type SearchResult = Omit<Schemas["SearchResult"], "excerpt"> & {
  excerpt: { text: string; highlights: number[][] };
};

export type TranscriptResult = Omit<Schemas["TranscriptResult"], "excerpt"> & Pick<SearchResult, "excerpt">;

export const searchFor = (organizationId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ["search", organizationId, q],
    initialPageParam: undefined as string | undefined,
    staleTime: 10_000,
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v2/organizations/{organization_id}/search", {
          params: { path: { organization_id: organizationId }, query: { q, limit: 30, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
