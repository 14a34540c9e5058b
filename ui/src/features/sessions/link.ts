/** What a link brings along, from a mail or from the machine that an empty server runs on. It stands behind the `#`, which no server sees. */
export interface Brought {
  link: string | null;
  invitation: string | null;
  reset: string | null;
  setUp: string | null;
}

/**
 * Read the token of the address, or of the history entry's `state`, where the page puts it for when it is reloaded.
 * `stored` is the invitation of a person who has just signed in to join.
 */
export function broughtBy(
  hash: string,
  search: string,
  state: { brought?: Brought } | null = null,
  stored: string | null = null,
): Brought {
  const behind = new URLSearchParams(hash.replace(/^#/, ""));
  const query = new URLSearchParams(search);
  const found = {
    link: behind.get("token") ?? query.get("token"),
    invitation: behind.get("invitation") ?? (query.has("join") ? stored : null),
    reset: behind.get("reset"),
    setUp: behind.get("set-up"),
  };
  return Object.values(found).some(Boolean) ? found : (state?.brought ?? found);
}

const INVITATION = "atrium.invitation";
/** The page that continues with a stored invitation. */
export const JOIN = "/sign-in?join=1";

/** Store an invitation in this tab while its person signs in or out. It is not in the address, which servers log. */
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

/** Forget the token before the link to the sign-in page, which has the same address, so the browser would keep it. */
export function dropToken(): void {
  history.replaceState(null, "");
}

/** Return the path if it is on this server, otherwise `/`, to prevent open redirects. */
export function localPath(path: string | undefined): string {
  return path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : "/";
}
