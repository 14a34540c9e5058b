/**
 * The token in a sign-in, invitation, reset or set-up link. It is in the URL's fragment, which browsers do not send
 * to servers.
 */
export interface LinkTokens {
  link: string | null;
  invitation: string | null;
  reset: string | null;
  setUp: string | null;
}

/**
 * Read the token from the URL, or from the history entry's `state`, where the page stores it for a reload. `stored`
 * is the invitation of a person who has just signed in to join.
 */
export function readLinkTokens(
  hash: string,
  search: string,
  state: { brought?: LinkTokens } | null = null,
  stored: string | null = null,
): LinkTokens {
  const fragment = new URLSearchParams(hash.replace(/^#/, ""));
  const query = new URLSearchParams(search);
  const found = {
    link: fragment.get("token") ?? query.get("token"),
    invitation: fragment.get("invitation") ?? (query.has("join") ? stored : null),
    reset: fragment.get("reset"),
    setUp: fragment.get("set-up"),
  };
  return Object.values(found).some(Boolean) ? found : (state?.brought ?? found);
}

const INVITATION = "atrium.invitation";
/** The page that continues with a stored invitation. */
export const JOIN = "/sign-in?join=1";

/** Store an invitation in this tab while its person signs in or out. It is not in the URL, which servers log. */
export function storeInvitation(token: string): void {
  try {
    sessionStorage.setItem(INVITATION, token);
  } catch {
    // without storage, the link has to be opened again
  }
}

export function storedInvitation(): string | null {
  try {
    return sessionStorage.getItem(INVITATION);
  } catch {
    return null;
  }
}

/**
 * Remove the token from the URL before the link to the sign-in page is followed. Both have the same path, so the
 * browser would keep the token.
 */
export function dropToken(): void {
  history.replaceState(null, "");
}

/** Return the path if it is on this server, otherwise `/`, to prevent open redirects. */
export function localPath(path: string | undefined): string {
  return path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : "/";
}
