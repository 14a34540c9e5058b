import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { organizationsKey, profileKey } from "@/model/queryKeys";

export const profile = queryOptions({
  queryKey: profileKey(),
  queryFn: () => unwrap(api.GET("/v1/me/profile")),
  staleTime: Infinity,
});

export const ownOrganizations = queryOptions({
  queryKey: organizationsKey(),
  queryFn: () =>
    allPages(
      (cursor) => unwrap(api.GET("/v1/me/organizations", { params: { query: { limit: 200, cursor } } })),
      (page) => page.organizations,
    ),
});

/** Return the signed-in person. */
export const useProfile = () => useSuspenseQuery(profile).data;
export const useOwnOrganizations = () => useSuspenseQuery(ownOrganizations).data;
