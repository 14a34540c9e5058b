import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { showSecret } from "@/kit/overlay/SecretAlert";
import { rotationOf } from "@/model/keys/limits";

export type PersonalKey = Schemas["PersonalKey"];

/** The person's keys, and the rules of which a new or renewed key must fit one. */
export const ownKeys = queryOptions({
  queryKey: ["own-keys"],
  queryFn: async () => {
    const pages = await allPages(
      (cursor) => unwrap(api.GET("/v1/me/integrations", { params: { query: { limit: 200, cursor } } })),
      (page) => [page],
    );
    return { keys: pages.flatMap((page) => page.integrations), rules: pages.flatMap((page) => page.rules) };
  },
});

/** The place of a new key of the person. */
export const OWN_KEYS = "own keys";

/** Show a new key of the person above their keys. */
export const showKey = ({ api_key: { api_key_id, name }, key }: Schemas["ShownPersonalKey"]): void =>
  showSecret(OWN_KEYS, { id: api_key_id, name, value: key });

/** What a key of the person was used for. */
export const ownUsageOf = ({ api_key_id }: PersonalKey) =>
  queryOptions({
    queryKey: [...ownKeys.queryKey, api_key_id, "usage"],
    queryFn: () =>
      unwrap(api.GET("/v1/me/integrations/{api_key_id}/usage", { params: { path: { api_key_id } } })),
  });

export const createKey = (content: Schemas["PersonalKeyCreate"]) =>
  unwrap(api.POST("/v1/me/integrations", { body: { content } }));

export const updateKey = (key: PersonalKey, content: Schemas["PersonalKeyUpdate"]) =>
  unwrap(
    api.PATCH("/v1/me/integrations/{api_key_id}", {
      params: { path: { api_key_id: key.api_key_id } },
      body: { content },
    }),
  );

/** Rotate a key; the new one is valid for `maxDays` at most. */
export const rotateKey = (key: PersonalKey, maxDays: number | null) =>
  unwrap(
    api.POST("/v1/me/integrations/{api_key_id}/rotate", {
      params: { path: { api_key_id: key.api_key_id } },
      body: { content: rotationOf(key, new Date(), maxDays) },
    }),
  );

export const revokeKey = (key: PersonalKey) =>
  unwrap(
    api.DELETE("/v1/me/integrations/{api_key_id}", { params: { path: { api_key_id: key.api_key_id } } }),
  );
