import { useSyncExternalStore } from "react";
import { api, type Schemas } from "@/api/client";
import { answered } from "@/api/refusal";

export type Actor = Schemas["KnownActor"];

const MOST_AT_ONCE = 100;
const known = new Map<string, Actor | null | undefined>(); // undefined: asked, not answered
const listeners = new Set<() => void>();
const wanted = new Map<string, Set<string>>();

/** Who an actor is: undefined while that is being asked, null where the server knows nobody by that id. */
export function useActor(organizationId: string, actorId: string): Actor | null | undefined {
  const look = () => {
    if (!known.has(actorId)) ask(organizationId, actorId);
    return known.get(actorId);
  };
  return useSyncExternalStore(subscribe, look, look);
}

/** What is known of actors from elsewhere, such as a list of members. */
export function learn(actors: Actor[]): void {
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

/** Names asked for in one moment are asked of the server together. */
function ask(organizationId: string, actorId: string): void {
  if (wanted.size === 0) setTimeout(askAll, 10);
  const ids = wanted.get(organizationId) ?? new Set();
  wanted.set(organizationId, ids.add(actorId));
}

function askAll(): void {
  for (const [organizationId, ids] of wanted) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      void askFor(organizationId, all.slice(from, from + MOST_AT_ONCE));
    }
  }
  wanted.clear();
}

async function askFor(organizationId: string, ids: string[]): Promise<void> {
  for (const id of ids) known.set(id, known.get(id));
  const params = { path: { organization_id: organizationId }, query: { ids: ids.join(",") } };
  try {
    const { actors } = await answered(api.GET("/v1/organizations/{organization_id}/actors", { params }));
    const found = new Map(actors.map((each) => [each.actor_id, each]));
    for (const id of ids) known.set(id, found.get(id) ?? null);
  } catch {
    for (const id of ids) known.delete(id);
  }
  for (const listener of listeners) listener();
}

/** The name of an actor, asked for where it is not known yet; undefined where nobody knows it. */
export async function knownName(organizationId: string, actorId: string): Promise<string | undefined> {
  if (!known.get(actorId)) await askFor(organizationId, [actorId]);
  return nameOf(actorId);
}

/** The name of an actor where it is known already. */
export const nameOf = (actorId: string): string | undefined => known.get(actorId)?.name;
