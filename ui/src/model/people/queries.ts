import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { organizationsKey, pendingMembershipsKey, profileKey } from "@/model/queryKeys";

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

export type PendingMembership = Schemas["PendingMembership"];

export const pendingMemberships = queryOptions({
  queryKey: pendingMembershipsKey(),
  queryFn: () =>
    allPages(
      (cursor) =>
        unwrap(api.GET("/v1/me/pending-memberships", { params: { query: { limit: 200, cursor } } })),
      (page) => page.pending_memberships,
    ),
});

const pathOf = ({ organization_id }: PendingMembership) => ({ params: { path: { organization_id } } });

export const acceptMembership = (pending: PendingMembership) =>
  unwrap(api.POST("/v1/me/pending-memberships/{organization_id}/accept", pathOf(pending)));

export const declineMembership = (pending: PendingMembership) =>
  unwrap(api.DELETE("/v1/me/pending-memberships/{organization_id}", pathOf(pending)));

/** Return the signed-in person. */
export const useProfile = () => useSuspenseQuery(profile).data;
export const useOwnOrganizations = () => useSuspenseQuery(ownOrganizations).data;
