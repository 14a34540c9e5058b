import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { spacesKey } from "@/model/queryKeys";
import type { Space } from "@/model/spaces/queries";
import type { SpaceRole } from "../groups";

export type SpaceCreate = Schemas["SpaceCreate"];
export type SpaceUpdate = Schemas["SpaceUpdate"];

export const spaceOf = (spaceId: string) =>
  queryOptions({
    queryKey: spacesKey("one", spaceId),
    queryFn: async () => {
      const params = { path: { space_id: spaceId } };
      return (await unwrap(api.GET("/v1/spaces/{space_id}", { params }))).space;
    },
  });

export const createSpace = (organizationId: string, content: SpaceCreate) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/spaces", {
      params: { path: { organization_id: organizationId } },
      body: { content },
    }),
  );

export const updateSpace = ({ space_id }: Space, content: SpaceUpdate) =>
  unwrap(api.PATCH("/v1/spaces/{space_id}", { params: { path: { space_id } }, body: { content } }));

export const deleteSpace = ({ space_id }: Space) =>
  unwrap(api.DELETE("/v1/spaces/{space_id}", { params: { path: { space_id } } }));

/** Grant or remove an actor's role in a space; inherited roles stay. */
export function setRole(spaceId: string, actorId: string, role: SpaceRole | "none"): Promise<unknown> {
  const params = { path: { space_id: spaceId, actor_id: actorId } };
  if (role === "none") return unwrap(api.DELETE("/v1/spaces/{space_id}/members/{actor_id}", { params }));
  return unwrap(api.PUT("/v1/spaces/{space_id}/members/{actor_id}", { params, body: { content: { role } } }));
}
