import { describe, expect, it } from "vitest";
import { aMessage } from "@/model/messages/room.fixture";
import {
  isUnread,
  totalsOf,
  withMessageCounted,
  withPlaceRead,
  type Unread,
  type UnreadRoom,
  type UnreadThread,
} from "./counts";

const root = aMessage(1).message_id;
const counts = {
  space_id: "space",
  unread_count: 1,
  capped: false,
  mention_count: 0,
  last_read_message_id: null,
};
const room: UnreadRoom = {
  ...counts,
  room_id: aMessage(1).room_id,
  first_unread_message_id: aMessage(1).message_id,
  last_message_id: aMessage(1).message_id,
};
const thread: UnreadThread = {
  ...counts,
  room_id: room.room_id,
  thread_root_id: root,
  first_unread_message_id: aMessage(2).message_id,
  last_reply_at: aMessage(2).sent_at,
};
const known: Unread = { rooms: [room], threads: [thread] };
const reply = aMessage(3, 0, { thread_root_id: root, mentions: ["me"] });

describe("a new message", () => {
  it("is counted once, and as a mention where it is one", () => {
    const message = aMessage(2, 0, { mentions: ["me"] });
    const counted = withMessageCounted(known, message, "me");
    expect(counted?.rooms[0]).toMatchObject({ unread_count: 2, mention_count: 1 });
    expect(counted?.threads).toEqual(known.threads);
    expect(withMessageCounted(counted ?? known, message, "me")).toEqual(counted);
  });

  it("counts in its thread, not in its room", () => {
    const counted = withMessageCounted(known, reply, "me");
    expect(counted?.threads[0]).toMatchObject({ unread_count: 2, mention_count: 1 });
    expect(counted?.rooms).toEqual(known.rooms);
    expect(withMessageCounted(counted ?? known, reply, "me")).toEqual(counted);
  });

  it("of a room or thread without unread messages is left to the server", () => {
    const nothing = { rooms: [], threads: [] };
    expect(withMessageCounted(nothing, aMessage(2), "me")).toBeNull();
    expect(withMessageCounted(nothing, reply, "me")).toBeNull();
  });
});

it("counting ends at a hundred and more", () => {
  const full = { ...known, rooms: [{ ...room, unread_count: 100 }] };
  expect(withMessageCounted(full, aMessage(2), "me")?.rooms[0]).toMatchObject({
    unread_count: 100,
    capped: true,
  });
});

it("what was read is not among the unread", () => {
  expect(withPlaceRead(known, room.room_id, null)).toEqual({ rooms: [], threads: [thread] });
  expect(withPlaceRead(known, room.room_id, root)).toEqual({ rooms: [room], threads: [] });
});

it("a message is unread from the first unread one on", () => {
  expect(isUnread(known, reply)).toBe(true);
  expect(isUnread(known, aMessage(1, 0, { thread_root_id: root }))).toBe(false);
  expect(isUnread({ rooms: [], threads: [] }, aMessage(1))).toBe(false);
});

it("threads and mentions are meant for the reader, other messages are more", () => {
  expect(totalsOf({ rooms: [{ ...room, mention_count: 2 }], threads: [thread] })).toEqual({
    mentions: 2,
    threads: 1,
    inThreads: 0,
    direct: 3,
    hasMore: true,
  });
  expect(totalsOf({ rooms: [], threads: [] })).toMatchObject({ direct: 0, hasMore: false });
});
