import { api } from "@/api/client";
import { unwrap } from "@/api/errors";
import type { Message } from "@/model/messages/history";
import { readThread } from "@/model/messages/readThread";
import { placeKey } from "./counts";

const known = new Map<string, Promise<boolean>>();

/**
 * Return whether a person wrote or was mentioned in a thread. It is read once per thread; after that, its new
 * replies decide.
 */
export function isFollowing(roomId: string, rootId: string, personId: string): Promise<boolean> {
  const key = placeKey(roomId, rootId);
  const found = known.get(key) ?? lookUp(roomId, rootId, personId);
  known.set(key, found);
  found.catch(() => known.delete(key)); // the next reply tries again
  return found;
}

/** Return whether a message makes a person take part in its thread. */
export const isAbout = (message: Message, personId: string): boolean =>
  message.user_id === personId || message.mentions.includes(personId);

export function follow(roomId: string, rootId: string): void {
  known.set(placeKey(roomId, rootId), Promise.resolve(true));
}

export const forgetFollowing = (): void => known.clear();

async function lookUp(roomId: string, rootId: string, personId: string): Promise<boolean> {
  const concerns = (message: Message) => isAbout(message, personId);
  const path = { room_id: roomId, message_id: rootId };
  const root = await unwrap(api.GET("/v2/rooms/{room_id}/messages/{message_id}", { params: { path } }));
  return concerns(root) || (await readThread(roomId, rootId)).some(concerns);
}
