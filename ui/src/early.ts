/**
 * Requests what a room shows while the code of the application is still loading; `api/client.ts` takes the responses.
 * The page loads this file first, so it imports nothing but the outline and types.
 */
import type { Schemas } from "./api/client";
import { outlineRoom } from "./outline";

type Actor = Schemas["KnownActor"];

const MAX_SPACES = 5;
const responses = new Map<string, Promise<Response>>();

/** Request a path. The application gets the response when what follows from it has been done. */
function read<T>(path: string, follow?: (content: T) => unknown): void {
  const response = fetch(path).then(async (each) => {
    if (follow && each.ok) await follow((await each.clone().json()) as T);
    return each;
  });
  response.catch(() => undefined); // the application requests it again, and tells of errors
  responses.set(path, response);
}

function readSidebar(organizationId: string): void {
  read(`/v2/organizations/${organizationId}/unread?limit=200`);
  read<Schemas["SpaceList"]>(`/v1/organizations/${organizationId}/spaces?limit=200`, ({ spaces }) => {
    for (const { space_id } of spaces.slice(0, MAX_SPACES)) read(`/v2/spaces/${space_id}/rooms?limit=200`);
  });
}

/** Read a room, its newest messages, and those who wrote them; show them in the page's outline. */
function readRoom(organizationId: string, roomId: string, found: (actors: Actor[]) => void): void {
  const room = new Promise<Schemas["Room"]>((done) => read(`/v2/rooms/${roomId}`, done));
  const newest = `/v2/rooms/${roomId}/messages?top_level=true&limit=50`;
  read<Schemas["RoomMessageList"]>(newest, async ({ messages }) => {
    const ids = new Set(messages.map((each) => each.user_id));
    if (!ids.size) return;
    const answer = await fetch(`/v1/organizations/${organizationId}/actors?ids=${[...ids].join()}`);
    if (!answer.ok) return;
    const { actors } = (await answer.json()) as Schemas["ActorList"];
    found(actors);
    void room.then((each) => outlineRoom(each, messages, actors));
  });
}

const stored = (name: string) => {
  try {
    return localStorage.getItem(`atrium.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
};

if (location.pathname !== "/sign-in") {
  const found = /^\/o\/([\w-]+)(?:\/rooms\/([\w-]+))?/.exec(location.pathname);
  const organizationId = found?.[1] ?? stored("organization");
  const roomId = found ? found[2] : organizationId && stored(`room.${organizationId}`);
  read("/v1/me/profile");
  read("/v1/me/organizations?limit=200");
  if (organizationId) readSidebar(organizationId);
  const actors = new Promise<Actor[]>((found) => {
    if (organizationId && roomId) readRoom(organizationId, roomId, found);
  });
  window.early = { responses, actors, organizationId, roomId };
}
