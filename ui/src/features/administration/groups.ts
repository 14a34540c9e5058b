import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";

export type Group = Schemas["DirectoryGroup"];
export type SpaceGroup = Schemas["SpaceGroup"];
export type SpaceRole = SpaceGroup["role"];
export const SPACE_ROLES: SpaceRole[] = ["reader", "member", "admin"];

export const groupsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "groups"],
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/groups", {
              params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.groups,
      ),
  });

export const spaceGroupsOf = (spaceId: string) =>
  queryOptions({
    queryKey: ["space-groups", spaceId],
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/spaces/{space_id}/groups", {
              params: { path: { space_id: spaceId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.groups,
      ),
  });

/** Set or remove a group's role in a space. */
export function setGroupRole(spaceId: string, groupId: string, role: SpaceRole | "none"): Promise<unknown> {
  const params = { path: { space_id: spaceId, group_id: groupId } };
  if (role === "none") return unwrap(api.DELETE("/v1/spaces/{space_id}/groups/{group_id}", { params }));
  return unwrap(api.PUT("/v1/spaces/{space_id}/groups/{group_id}", { params, body: { content: { role } } }));
}
