import type { Schemas } from "@/api/client";
import { keyLimits } from "@/texts/keyLimits";

export type Scope = NonNullable<Schemas["ApiKey"]["scopes"]>[number];
export const ALL_SCOPES = Object.keys(keyLimits.scope) as Scope[];
type Limited = Pick<Schemas["ApiKey"], "scopes" | "allowed_networks">;

/** The limits of a key in a form: scopes, null for all; networks with commas between them. */
export interface LimitValues {
  scopes: Scope[] | null;
  networks: string;
}

export const unlimited: LimitValues = { scopes: null, networks: "" };

/** Return whether scopes are to be chosen and none is. */
export const hasNoScope = ({ scopes }: LimitValues): boolean => scopes?.length === 0;

export const valuesOf = ({ scopes, allowed_networks }: Limited): LimitValues => ({
  scopes,
  networks: allowed_networks?.join(", ") ?? "",
});

/** Return the limits of a form as the API takes them. */
export function limitsOf({ scopes, networks }: LimitValues): Limited {
  const each = networks.split(/[\s,;]+/).filter((network) => network !== "");
  return { scopes, allowed_networks: each.length > 0 ? each : null };
}

/** Return what the form takes away from the limits of a key, as the API takes it. */
export function narrowedLimits(known: Limited, values: LimitValues): Partial<Limited> {
  const wanted = limitsOf(values);
  const changes = (name: keyof Limited) => wanted[name]?.join() !== known[name]?.join();
  return {
    ...(changes("scopes") && { scopes: wanted.scopes }),
    ...(changes("allowed_networks") && { allowed_networks: wanted.allowed_networks }),
  };
}
