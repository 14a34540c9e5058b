import { expect, it } from "vitest";
import { aMessage } from "@/model/messages/room.fixture";
import { withMessageCounted, withRoomRead, type UnreadRoom } from "./counting";

const room: UnreadRoom = {
  room_id: "room",
  space_id: "space",
  unread_count: 1,
  capped: false,
  mention_count: 0,
  last_read_message_id: null,
  first_unread_message_id: aMessage(1).message_id,
  last_message_id: aMessage(1).message_id,
};

it("a message is counted once, and as a mention where it is one", () => {
  const message = aMessage(2, 0, { mentions: ["me"] });
  const counted = withMessageCounted([room], message, "me");
  expect(counted?.[0]).toMatchObject({ unread_count: 2, mention_count: 1 });
  expect(withMessageCounted(counted ?? [], message, "me")).toEqual(counted);
});

it("counting ends at a hundred and more", () => {
  const full = { ...room, unread_count: 100 };
  expect(withMessageCounted([full], aMessage(2), "me")?.[0]).toMatchObject({
    unread_count: 100,
    capped: true,
  });
});

it("a room that was read is not among the unread", () => {
  expect(withRoomRead([room], "room")).toEqual([]);
  expect(withMessageCounted([], aMessage(2), "me")).toBeNull();
});
