import { afterEach, describe, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { aMessage } from "./room.fixture";
import { TimelineStore } from "./timelineStore";
import type { Message } from "./history";

const [one, two, three] = [aMessage(1), aMessage(2), aMessage(3)] as const;
const CREATED_AT = one.created_at;

/** A server whose responses wait until the test releases them; each has the state at the time of its request. */
function aServer(messages: Message[]) {
  const waiting: (() => void)[] = [];
  vi.spyOn(api, "GET").mockImplementation((() => {
    const data = {
      messages: messages.toReversed(),
      shard_has_more: false,
      next_cursor_sent_at: null,
      next_cursor_message_id: null,
      next_partition_cursor: new Date(0).toISOString(),
    };
    return new Promise((answer) => waiting.push(() => answer({ data, response: new Response() })));
  }) as unknown as typeof api.GET);
  const respond = async () => {
    await vi.waitUntil(() => waiting.length > 0);
    waiting.shift()?.();
  };
  return { messages, respond };
}

afterEach(() => vi.restoreAllMocks());

describe("a room that is being opened", () => {
  it("shows what was received while its newest page was loading", async () => {
    const { respond } = aServer([one]);
    const store = new TimelineStore("room", CREATED_AT);
    const opening = store.openNewest();
    store.receive(two);
    await respond();
    await opening;
    expect(store.timeline.get().messages).toEqual([one, two]);
    expect(store.timeline.get().change).toBe("opened");
  });

  it("is looked at again after that where the stream begins meanwhile", async () => {
    const { messages, respond } = aServer([one]);
    const store = new TimelineStore("room", CREATED_AT);
    void store.openNewest();
    const again = store.refresh();
    messages.push(two);
    await respond();
    await respond();
    await again;
    expect(store.timeline.get().messages).toEqual([one, two]);
  });
});

describe("a room that is looked at again", () => {
  it("is the same list, without a loading indicator; what is received meanwhile is not undone", async () => {
    const { messages, respond } = aServer([one]);
    const store = new TimelineStore("room", CREATED_AT);
    void store.openNewest();
    await respond();
    await store.whenOpened();
    messages.push(two);
    const deleted = { ...two, status: "DELETED" as const };
    const again = store.refresh();
    await Promise.resolve();
    store.receive(deleted);
    store.receive(three);
    expect(store.loading.get().opening).toBe(false);
    await respond();
    await again;
    expect(store.timeline.get().messages).toEqual([one, deleted, three]);
    expect(store.openCount.get()).toBe(1);
  });

  it("stays untouched where nothing has happened, an empty one too", async () => {
    const { respond } = aServer([]);
    const store = new TimelineStore("room", CREATED_AT);
    void store.openNewest();
    await respond();
    await store.whenOpened();
    const before = store.timeline.get();
    const again = store.refresh();
    await respond();
    await again;
    expect(store.timeline.get()).toBe(before);
    expect(store.openCount.get()).toBe(1);
  });
});

describe("older messages that fail to load", () => {
  it("are refetched in their place", async () => {
    const page = (messages: Message[], shard_has_more: boolean) => ({
      data: { messages, shard_has_more, next_partition_cursor: new Date(0).toISOString() },
      response: new Response(),
    });
    const answers = [
      () => page([three], true),
      () => Promise.reject(new TypeError("offline")),
      () => page([two, one], false),
    ];
    vi.spyOn(api, "GET").mockImplementation((async () => answers.shift()?.()) as unknown as typeof api.GET);
    const store = new TimelineStore("room", CREATED_AT);
    await store.openNewest();
    await store.loadOlder();
    expect(store.loading.get().error).not.toBeNull();
    await store.retry();
    expect(store.loading.get().error).toBeNull();
    expect(store.timeline.get().messages).toEqual([one, two, three]);
    expect(store.openCount.get()).toBe(1);
  });
});
