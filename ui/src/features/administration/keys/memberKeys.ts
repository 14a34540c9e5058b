import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";

export type MemberKey = Schemas["MemberKey"];

/** Read the personal keys of the active members of an organization, or of one of them. */
export const listMemberKeys = (organizationId: string, personId?: string): Promise<MemberKey[]> =>
  allPages(
    (cursor) =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/personal-keys", {
          params: {
            path: { organization_id: organizationId },
            query: { limit: 200, cursor, person_id: personId },
          },
        }),
      ),
    (page) => page.personal_keys,
  );

/** The personal keys of the active members of an organization. */
export const memberKeysOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "personal-keys"],
    queryFn: () => listMemberKeys(organizationId),
  });

export const revokeMemberKey = (organizationId: string, key: MemberKey) =>
  unwrap(
    api.DELETE("/v1/organizations/{organization_id}/personal-keys/{api_key_id}", {
      params: { path: { organization_id: organizationId, api_key_id: key.api_key_id } },
    }),
  );
