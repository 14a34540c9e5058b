import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap, ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { JOIN, storeInvitation } from "./link";

export const signIn = (email: string, password: string) =>
  unwrapSignIn(api.POST("/v1/sessions", { body: { content: { email, password } } }));

export const signInByLink = (token: string) =>
  unwrapSignIn(api.POST("/v1/sessions/link", { body: { content: { token } } }));

export const mailLink = (email: string) =>
  unwrapSignIn(api.POST("/v1/sign-in-links", { body: { content: { email } } }));

export const mailReset = (email: string) =>
  unwrapSignIn(api.POST("/v1/password-resets", { body: { content: { email } } }));

export const setNewPassword = (token: string, password: string, revokeKeys: boolean) =>
  unwrapSignIn(
    api.POST("/v1/password-resets/confirm", {
      body: { content: { token, password, revoke_keys: revokeKeys } },
    }),
  );

export const acceptInvitation = (token: string, name: string, password?: string) =>
  unwrapSignIn(api.POST("/v1/invitations/accept", { body: { content: { token, name, password } } }));

export const previewInvitation = (token: string) =>
  unwrapSignIn(api.POST("/v1/invitations/preview", { body: { content: { token } } }));

/** Sign out, then continue with the invitation. */
export async function signOutAndJoin(token: string): Promise<void> {
  storeInvitation(token);
  await unwrap(api.DELETE("/v1/sessions/current")).catch(() => undefined); // it may have ended already
  reloadAt(JOIN);
}

/** Load the application again, without any state of the previous session. */
export function reloadAt(path: string): void {
  queryClient.clear();
  location.assign(path);
}

/** Return the data of a response. Throws errors with the texts of the sign-in page. */
export async function unwrapSignIn<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  try {
    return await unwrap(call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.status, error.code, messageFor(error), error.body, error.retryAfter);
  }
}

function messageFor(error: ApiError): string {
  if (error.code === "too_many_attempts") return texts.sessions.tooMany(error.retryAfter || 60);
  return (texts.sessions.errors as Record<string, string>)[error.code] ?? error.message;
}
