import type { Schemas } from "@/api/client";
import type { Webhook } from "../queries";

export type AuthenticationType = "none" | "oauth2" | "mutual_tls";
type Credentials = NonNullable<Schemas["WebhookCreate"]["authentication"]>;

/** What the form holds; secrets are empty until someone enters them. */
export interface Draft {
  type: AuthenticationType;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  audience: string;
  clientAuthentication: Schemas["ClientAuthentication"];
  certificate: string;
  privateKey: string;
}

const EMPTY: Draft = {
  type: "none",
  tokenUrl: "",
  clientId: "",
  clientSecret: "",
  scope: "",
  audience: "",
  clientAuthentication: "basic",
  certificate: "",
  privateKey: "",
};

/** Return the form for a webhook's authentication. */
export function draftOf(authentication: Webhook["authentication"]): Draft {
  if (authentication === null) return EMPTY;
  if (authentication.type === "mutual_tls")
    return { ...EMPTY, type: "mutual_tls", certificate: authentication.certificate };
  return {
    ...EMPTY,
    type: "oauth2",
    tokenUrl: authentication.token_url,
    clientId: authentication.client_id,
    scope: authentication.scope ?? "",
    audience: authentication.audience ?? "",
    clientAuthentication: authentication.client_authentication,
  };
}

/** What a webhook has stored a secret for: it must be entered again for anything else. */
export type SecretState = "new" | "stored" | "again";

/** Return whether the server has the secret of this form. It uses a secret only with the URLs that it was entered for. */
export function secretStateOf(draft: Draft, webhook: Webhook | undefined, url: string): SecretState {
  const stored = webhook?.authentication;
  if (!webhook || !stored || stored.type !== draft.type) return "new";
  const isSameToken = stored.type !== "oauth2" || stored.token_url === draft.tokenUrl.trim();
  return webhook.endpoint_url === url.trim() && isSameToken ? "stored" : "again";
}

/** Return whether every required field of the form is filled in. */
export function isComplete(draft: Draft, secret: SecretState): boolean {
  const has = (text: string) => text.trim() !== "";
  if (draft.type === "oauth2")
    return has(draft.tokenUrl) && has(draft.clientId) && (secret === "stored" || has(draft.clientSecret));
  if (draft.type === "mutual_tls")
    return has(draft.certificate) && (secret === "stored" || has(draft.privateKey));
  return true;
}

/** Return what the API is sent; an empty secret is left out, so that the stored one stays. */
export function credentialsOf(draft: Draft): Credentials | null {
  if (draft.type === "none") return null;
  if (draft.type === "mutual_tls")
    return {
      type: "mutual_tls",
      certificate: draft.certificate,
      ...(draft.privateKey.trim() && { private_key: draft.privateKey }),
    };
  return {
    type: "oauth2",
    token_url: draft.tokenUrl.trim(),
    client_id: draft.clientId.trim(),
    ...(draft.clientSecret && { client_secret: draft.clientSecret }),
    scope: draft.scope.trim() || null,
    audience: draft.audience.trim() || null,
    client_authentication: draft.clientAuthentication,
  };
}

const WEEK = 7 * 86_400_000;

/** Return whether a webhook's client certificate has ended or ends within a week, and when. */
export function endingOf(webhook: Webhook, now: Date): { at: string; hasEnded: boolean } | null {
  if (webhook.authentication?.type !== "mutual_tls") return null;
  const at = webhook.authentication.ends_at;
  const left = Date.parse(at) - now.getTime();
  return left <= WEEK ? { at, hasEnded: left <= 0 } : null;
}
