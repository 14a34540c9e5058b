import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";

export type MemberKey = Schemas["MemberKey"];

/** The personal keys of the active members of an organization. */
export const memberKeysOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "personal-keys"],
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/personal-keys", {
              params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.personal_keys,
      ),
  });

export const revokeMemberKey = (organizationId: string, key: MemberKey) =>
  unwrap(
    api.DELETE("/v1/organizations/{organization_id}/personal-keys/{api_key_id}", {
      params: { path: { organization_id: organizationId, api_key_id: key.api_key_id } },
    }),
  );
