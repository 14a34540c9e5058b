import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

/** Highlights are pairs of positions; the generated types have lists of numbers. */
export type SearchResult = Omit<Schemas["SearchResult"], "excerpt"> & {
  excerpt: { text: string; highlights: number[][] };
};

export type TranscriptResult = Omit<Schemas["TranscriptResult"], "excerpt"> & Pick<SearchResult, "excerpt">;

export type Order = "best" | "newest";

const PAGE = 30;
const PREVIEW = 4;

export const searchFor = (organizationId: string, q: string, order: Order) =>
  infiniteQueryOptions({
    queryKey: ["search", organizationId, q, order],
    initialPageParam: undefined as string | undefined,
    staleTime: 10_000,
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v2/organizations/{organization_id}/search", {
          params: {
            path: { organization_id: organizationId },
            query: { q, order, limit: PAGE, cursor: pageParam },
          },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** Return the best results, while a query is typed. */
export const previewOf = (organizationId: string, q: string) =>
  queryOptions({
    queryKey: ["search-preview", organizationId, q],
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { results } = await unwrap(
        api.GET("/v2/organizations/{organization_id}/search", {
          params: { path: { organization_id: organizationId }, query: { q, limit: PREVIEW } },
          signal,
        }),
      );
      return results.filter((each) => each.type === "message");
    },
  });
