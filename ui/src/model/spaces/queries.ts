import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { cacheActors } from "@/model/people/names";
import { spaceMembersKey, spacesKey } from "@/model/queryKeys";

export type Space = Schemas["Space"];
export type SpaceMember = Schemas["SpaceMember"];

export const spacesOf = (organizationId: string) =>
  queryOptions({
    queryKey: spacesKey(organizationId),
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/spaces", {
              params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.spaces,
      ),
  });

export const membersOf = (spaceId: string) =>
  queryOptions({
    queryKey: spaceMembersKey(spaceId),
    staleTime: 5 * 60_000,
    queryFn: async () => {
      const members = await allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/spaces/{space_id}/members", {
              params: { path: { space_id: spaceId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.members,
      );
      cacheActors(members.map(({ actor_id, actor_type, name }) => ({ actor_id, actor_type, name })));
      return members;
    },
  });

export const useSpaces = (organizationId: string) => useQuery(spacesOf(organizationId));
export const useSpaceMembers = (spaceId: string | undefined, enabled = true) =>
  useQuery({ ...membersOf(spaceId ?? ""), enabled: enabled && spaceId !== undefined });
