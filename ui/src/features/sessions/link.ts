/** What a link brings along, from a mail or from the machine that an empty server runs on. It stands behind the `#`, which no server sees. */
export interface Brought {
  link: string | null;
  invitation: string | null;
  reset: string | null;
  setUp: string | null;
}

export function broughtBy(hash: string, search: string): Brought {
  const behind = new URLSearchParams(hash.replace(/^#/, ""));
  const query = new URLSearchParams(search);
  return {
    link: behind.get("token") ?? query.get("token"),
    invitation: behind.get("invitation"),
    reset: behind.get("reset"),
    setUp: behind.get("set-up"),
  };
}

/** Return the path if it is on this server, otherwise `/`, to prevent open redirects. */
export function localPath(path: string | undefined): string {
  return path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : "/";
}
