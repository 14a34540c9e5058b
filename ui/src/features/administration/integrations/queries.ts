import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { showSecret } from "@/kit/overlay/SecretAlert";
import { rotationOf } from "@/model/keys/limits";
import { hasRole } from "../useOrganization";

export type ApiKey = Schemas["ApiKey"];
export type ApiKeyCreate = Schemas["ApiKeyCreate"];
export type ApiKeyUpdate = Schemas["ApiKeyUpdate"];
export type SpaceGrant = Schemas["SpaceGrant"];

/** Show a new key of an integration above the keys of its organization. */
export const showKey = ({ api_key, key }: Schemas["ShownApiKey"]): void =>
  showSecret(api_key.organization_id, { id: api_key.api_key_id, name: api_key.name, value: key });

/** Return whether the integration has neither a space nor a role that can view the administration. */
export const hasNoAccess = (known: Pick<ApiKey, "spaces" | "organization_role">): boolean =>
  known.spaces.length === 0 && !hasRole(known.organization_role, "reader");

export const keysOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "api-keys"],
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/api-keys", {
              params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.api_keys,
      ),
  });

/** A key by its id; read again with all others after a change. */
export const keyOf = (organizationId: string, apiKeyId: string) =>
  queryOptions({
    queryKey: [...keysOf(organizationId).queryKey, apiKeyId],
    queryFn: async () =>
      (
        await unwrap(
          api.GET("/v1/organizations/{organization_id}/api-keys/{api_key_id}", {
            params: { path: { organization_id: organizationId, api_key_id: apiKeyId } },
          }),
        )
      ).api_key,
  });

/** What a key was used for; read again while its page is open, since programs use it meanwhile. */
export const usageOf = (key: ApiKey) =>
  queryOptions({
    queryKey: [...keysOf(key.organization_id).queryKey, key.api_key_id, "usage"],
    queryFn: () =>
      unwrap(api.GET("/v1/organizations/{organization_id}/api-keys/{api_key_id}/usage", pathOf(key))),
    refetchInterval: 10_000,
  });

const pathOf = (key: ApiKey) => ({
  params: { path: { organization_id: key.organization_id, api_key_id: key.api_key_id } },
});

export const createIntegration = (organizationId: string, content: ApiKeyCreate) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/api-keys", {
      params: { path: { organization_id: organizationId } },
      body: { content },
    }),
  );

export const addKey = (known: ApiKey, content: Schemas["FurtherKeyCreate"]) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/integrations/{integration_id}/api-keys", {
      params: { path: { organization_id: known.organization_id, integration_id: known.integration_id } },
      body: { content },
    }),
  );

export const updateIntegration = (key: ApiKey, content: ApiKeyUpdate) =>
  unwrap(
    api.PATCH("/v1/organizations/{organization_id}/api-keys/{api_key_id}", {
      ...pathOf(key),
      body: { content },
    }),
  );

/** Rotate a key; the new one lives no longer than the organization allows. */
export const rotateIntegration = (key: ApiKey, maxDays: number | null) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/api-keys/{api_key_id}/rotate", {
      ...pathOf(key),
      body: { content: rotationOf(key, new Date(), maxDays) },
    }),
  );

export const revokeIntegration = (key: ApiKey) =>
  unwrap(api.DELETE("/v1/organizations/{organization_id}/api-keys/{api_key_id}", pathOf(key)));
