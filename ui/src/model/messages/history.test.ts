import { describe, expect, it } from "vitest";
import { readNewer } from "./forward";
import { aRoom, W } from "./room.fixture";
import { olderThan, readOlder, type Cursor, type Message } from "./history";

const TIMES = [1, 2, 2, 3, W - 1, W, W + 1, 3 * W + 5, 9 * W, 9 * W + 1, 40 * W, 40 * W + 1, 40 * W + 2];

describe("a walk back", () => {
  it.each([1, 2, 3, 50])(
    "meets every message once, in order, across windows and pages of %i",
    async (limit) => {
      const room = aRoom(TIMES, limit);
      const first = await room.read({});
      let found: Message[] = first.messages.toReversed();
      let cursor: Cursor | null = olderThan(first, room.createdAt);
      while (cursor) {
        const { messages, older } = await readOlder(room.read, cursor, room.createdAt);
        found = [...messages, ...found];
        cursor = older;
      }
      expect(found).toEqual(room.messages);
    },
  );

  it("of an empty room ends immediately", async () => {
    const room = aRoom([], 50);
    const first = await room.read({});
    expect(await readOlder(room.read, olderThan(first, room.createdAt) ?? {}, room.createdAt)).toEqual({
      messages: [],
      older: null,
    });
  });
});

describe("a walk forward", () => {
  it.each([1, 2, 3, 50])("from any message meets every newer one once, in pages of %i", async (limit) => {
    const room = aRoom(TIMES, limit);
    for (const [index, from] of room.messages.entries()) {
      const found: Message[] = [];
      for (let newest = from, atNewest = false; !atNewest; newest = found.at(-1) ?? from) {
        const next = await readNewer(room.read, newest, room.now);
        found.push(...next.messages);
        atNewest = next.atNewest;
      }
      expect(found).toEqual(room.messages.slice(index + 1));
    }
  });
});
