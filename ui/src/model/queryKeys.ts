/**
 * The keys of the queries of this layer, by ids from the general to the particular; without ids, a key stands for all of
 * its queries. Live events keep what `liveKey` defines up to date, and `app/live/apply.ts` reads all of it again when the
 * stream starts, because no event reports what changed before.
 */
export type Key = readonly string[];

const live: ((...ids: string[]) => Key)[] = [];
export const LIVE_KEYS: readonly (() => Key)[] = live;

function liveKey(name: string): (...ids: string[]) => Key {
  const key = (...ids: string[]): Key => [name, ...ids];
  live.push(key);
  return key;
}

export const organizationsKey = liveKey("organizations");
export const pendingMembershipsKey = liveKey("pending-memberships");
/** By organization. */
export const spacesKey = liveKey("spaces");
/** By space. */
export const spaceMembersKey = liveKey("space-members");
/** By space. */
export const roomsKey = liveKey("rooms");
/** By room. */
export const roomKey = liveKey("room");
/** By room. */
export const blocksKey = liveKey("page-blocks");
/** By room. */
export const roomFilesKey = liveKey("room-files");
/** By organization. */
export const unreadKey = liveKey("unread");
/** By organization. */
export const threadsKey = liveKey("threads");
/** By organization. */
export const mentionsKey = liveKey("mentions");
/** By room and root. */
export const threadKey = liveKey("thread");
/** By room and message. */
export const messageKey = liveKey("message");

/** Changes only when the server starts again. */
export const signInMethodsKey = (): Key => ["sign-in-methods"];
/** The profile changes only in this browser. */
export const profileKey = (): Key => ["profile"];

/** Parts of the application that load later and never change. */
export const emojiKey = (): Key => ["emoji"];
export const cjkKey = (): Key => ["cjk"];
/** By language and code: how code is highlighted never changes. */
export const codeKey = (...ids: string[]): Key => ["code", ...ids];
