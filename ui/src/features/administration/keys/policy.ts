import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import type { KeyRules } from "@/model/keys/limits";

export type KeyPolicy = Schemas["KeyPolicy"];
export type KeyPolicyToSet = Schemas["KeyPolicyToSet"];
export type KeyPolicyEffect = Schemas["KeyPolicyEffect"];
export type AffectedKey = Schemas["AffectedKey"];

export const PERSONAL_KEYS = ["allowed", "admins", "none"] as const satisfies KeyPolicy["personal_keys"][];

/** A policy in the form. */
export interface PolicyValues {
  /** A number of days; empty for any time. */
  days: string;
  personal: KeyPolicy["personal_keys"];
  networks: boolean;
  /** A date; empty for 30 days from now. */
  from: string;
}

/**
 * Return a policy as the form shows it. A date that has passed is left out: with stricter rules, it would stop keys
 * immediately.
 */
export function policyValuesOf(policy: KeyPolicy, now: Date): PolicyValues {
  const { max_lifetime_days, personal_keys, require_networks, enforce_at } = policy;
  const isAhead = enforce_at !== null && Date.parse(enforce_at) > now.getTime();
  return {
    days: max_lifetime_days?.toString() ?? "",
    personal: personal_keys,
    networks: require_networks,
    from: isAhead ? enforce_at.slice(0, 10) : "",
  };
}

/** Return the policy of the form as the API takes it. */
export const policyOf = ({ days, personal, networks, from }: PolicyValues): KeyPolicyToSet => ({
  max_lifetime_days: days === "" ? null : Number(days),
  personal_keys: personal,
  require_networks: networks,
  enforce_at: from === "" ? null : `${from}T00:00:00.000Z`,
});

export const hasRules = (policy: KeyPolicy): boolean =>
  policy.max_lifetime_days !== null || policy.personal_keys !== "allowed" || policy.require_networks;

/** Return whether the rules of the form are those that all keys have to fit already. */
export function isInForce(known: KeyPolicy, values: PolicyValues, now: Date): boolean {
  const { max_lifetime_days, personal_keys, require_networks } = policyOf(values);
  return (
    known.enforce_at !== null &&
    Date.parse(known.enforce_at) <= now.getTime() &&
    known.max_lifetime_days === max_lifetime_days &&
    known.personal_keys === personal_keys &&
    known.require_networks === require_networks
  );
}

const pathOf = (organizationId: string) => ({ params: { path: { organization_id: organizationId } } });

export const keyPolicyOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "key-policy"],
    queryFn: async () =>
      (await unwrap(api.GET("/v1/organizations/{organization_id}/key-policy", pathOf(organizationId))))
        .key_policy,
  });

/** Return the rules that a new key of an integration must fit; none until they are known. */
export function useKeyRules(organizationId: string): KeyRules[] {
  const { data } = useQuery(keyPolicyOf(organizationId));
  return data ? [data] : [];
}

/** What a policy would change; nothing is changed. */
export const policyPreviewOf = (organizationId: string, content: KeyPolicyToSet) =>
  queryOptions({
    queryKey: [...keyPolicyOf(organizationId).queryKey, "preview", content],
    queryFn: () =>
      unwrap(
        api.POST("/v1/organizations/{organization_id}/key-policy-preview", {
          ...pathOf(organizationId),
          body: { content },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const setKeyPolicy = (organizationId: string, content: KeyPolicyToSet) =>
  unwrap(
    api.PUT("/v1/organizations/{organization_id}/key-policy", {
      ...pathOf(organizationId),
      body: { content },
    }),
  );
