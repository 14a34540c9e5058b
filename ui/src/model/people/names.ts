import { useSyncExternalStore } from "react";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

export type Actor = Pick<Schemas["KnownActor"], "actor_id" | "actor_type" | "name">;

const MAX_IDS = 100;
const known = new Map<string, Actor | null | undefined>(); // undefined: requested
const listeners = new Set<() => void>();
const wanted = new Map<string, Set<string>>();

/** Return an actor: undefined while it loads, null where the server has no actor with that id, and without an id. */
export function useActor(organizationId: string, actorId: string | null): Actor | null | undefined {
  const look = () => {
    if (actorId === null) return null;
    if (!known.has(actorId)) request(organizationId, actorId);
    return known.get(actorId);
  };
  return useSyncExternalStore(subscribe, look, look);
}

/** Return the names of actors, each undefined while it loads and where the server has none. */
export function useNames(organizationId: string, actorIds: string[]): (string | undefined)[] {
  const look = () => {
    for (const id of actorIds) if (!known.has(id)) request(organizationId, id);
    return actorIds.map(nameOf).join("\n");
  };
  useSyncExternalStore(subscribe, look, look);
  return actorIds.map(nameOf);
}

/** Cache actors from other responses, such as a list of members. */
export function cacheActors(actors: Actor[]): void {
  for (const each of actors) known.set(each.actor_id, each);
  for (const listener of listeners) listener();
}

export function forgetActors(): void {
  known.clear();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Request names together that are needed at the same moment. */
function request(organizationId: string, actorId: string): void {
  if (wanted.size === 0) setTimeout(requestAll, 10);
  const ids = wanted.get(organizationId) ?? new Set();
  wanted.set(organizationId, ids.add(actorId));
}

function requestAll(): void {
  for (const [organizationId, ids] of wanted) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += MAX_IDS) {
      void fetchActors(organizationId, all.slice(from, from + MAX_IDS));
    }
  }
  wanted.clear();
}

async function fetchActors(organizationId: string, ids: string[]): Promise<void> {
  for (const id of ids) known.set(id, known.get(id));
  const params = { path: { organization_id: organizationId }, query: { ids: ids.join(",") } };
  try {
    const { actors } = await unwrap(api.GET("/v1/organizations/{organization_id}/actors", { params }));
    const found = new Map(actors.map((each) => [each.actor_id, each]));
    for (const id of ids) known.set(id, found.get(id) ?? null);
  } catch {
    for (const id of ids) known.delete(id);
  }
  for (const listener of listeners) listener();
}

/** Return the name of an actor, requesting it if needed; undefined where the server has none. */
export async function fetchName(organizationId: string, actorId: string): Promise<string | undefined> {
  if (!known.get(actorId)) await fetchActors(organizationId, [actorId]);
  return nameOf(actorId);
}

/** Return the name of an actor, if it is loaded. */
export const nameOf = (actorId: string): string | undefined => known.get(actorId)?.name;
