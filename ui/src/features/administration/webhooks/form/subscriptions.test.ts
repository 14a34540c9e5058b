import { describe, expect, it } from "vitest";
import type { SpaceWithRooms } from "@/model/rooms/queries";
import {
  MESSAGE,
  subjectChoices,
  subjectName,
  subjectOf,
  subjectValue,
  withEvent,
  withFilter,
  withMessage,
  wordsOf,
  filterOf,
} from "./subscriptions";
import type { EventType, Subscription } from "../queries";

const SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT";
const spaces = [
  { space: { space_id: "s", name: "General" }, rooms: [{ room_id: "r", name: "mill" }] },
] as unknown as SpaceWithRooms[];
const [ROOM, SPACE] = ["WEBHOOK_SUBJECT_TYPE_ROOM", "WEBHOOK_SUBJECT_TYPE_SPACE"] as const;
const type = (subscription_type: string, ...subject_types: string[]) =>
  ({ subscription_type, subject_types, filters: ["room_type"] }) as unknown as EventType;
const about = (subject_type: Subscription["subject_type"], subject_id: string): Subscription => ({
  subject_type,
  subject_id,
  subscription_type: SENT,
});

describe("the subject of a subscription", () => {
  it("is named", () => {
    expect(subjectName(about("WEBHOOK_SUBJECT_TYPE_SPACE", "s"), spaces)).toBe("All of General");
    expect(subjectName(about("WEBHOOK_SUBJECT_TYPE_ROOM", "r"), spaces)).toBe("mill");
    expect(subjectName(about("WEBHOOK_SUBJECT_TYPE_ROOM", "s"), spaces)).toContain("can't access");
    expect(subjectName(about("WEBHOOK_SUBJECT_TYPE_ROOM", "gone"), spaces, ["gone"])).toBe("Deleted room");
    expect(subjectName(about("WEBHOOK_SUBJECT_TYPE_SPACE", "gone"), spaces, ["gone"])).toBe("Deleted space");
  });

  it("is chosen among spaces and rooms, and comes back as it was", () => {
    const values = subjectChoices(type(SENT, ROOM, SPACE).subject_types, spaces, "o").flatMap((each) =>
      "items" in each ? each.items.map((item) => item.value) : [each.value],
    );
    expect(values).toHaveLength(2);
    expect(values.map(subjectOf).map(subjectValue)).toEqual(values);
    expect(subjectOf(values[0] ?? "")).toEqual({
      subject_type: "WEBHOOK_SUBJECT_TYPE_SPACE",
      subject_id: "s",
    });
  });
});

describe("another event of a subscription", () => {
  const room = about("WEBHOOK_SUBJECT_TYPE_ROOM", "r");
  const space = { ...about("WEBHOOK_SUBJECT_TYPE_SPACE", "s"), filter: { room_type: "chat" as const } };

  it("keeps a subject that has such events", () => {
    expect(withEvent(room, type("EDITED", ROOM, SPACE), "o")).toMatchObject({
      subject_id: "r",
    });
    expect(withEvent(space, type("CREATED", SPACE), "o")).toMatchObject({
      subject_id: "s",
      filter: { room_type: "chat" },
    });
  });

  it("asks for another subject, or takes the organization", () => {
    expect(withEvent(room, type("ADDED", SPACE), "o")).toMatchObject({
      subject_type: "WEBHOOK_SUBJECT_TYPE_SPACE",
      subject_id: "",
    });
    expect(withEvent(space, type("ENTRY", "WEBHOOK_SUBJECT_TYPE_ORGANIZATION"), "o")).toMatchObject({
      subject_type: "WEBHOOK_SUBJECT_TYPE_ORGANIZATION",
      subject_id: "o",
      filter: null,
    });
  });
});

describe("the filter of a subscription", () => {
  const space = about("WEBHOOK_SUBJECT_TYPE_SPACE", "s");

  it("keeps what the form does not show, and leaves out what is empty", () => {
    const given = { ...space, filter: { room_type: "chat" as const, sender_ids: ["ada"] } };
    expect(withFilter(given, { words: wordsOf(" a, b  a, c,d ,") }).filter).toEqual({
      ...given.filter,
      words: ["a", "b", "c,d"],
    });
    expect(withFilter(given, { room_type: undefined, words: [] }).filter).toEqual({ sender_ids: ["ada"] });
    expect(withFilter(withFilter(space, { thread: "reply" }), { thread: undefined }).filter).toBeNull();
  });

  it("loses what another event does not have", () => {
    const given = withMessage(withFilter(space, { room_type: "chat", words: ["x"] }), true);
    const updated = { ...type("UPDATED", ROOM, SPACE), filters: ["room_type"] } as EventType;
    const changed = withEvent(given, updated, "o");
    expect(changed.filter).toEqual({ room_type: "chat" });
    expect(changed).not.toHaveProperty("include");
    expect(
      withEvent(given, { ...type("EDITED", ROOM, SPACE), filters: ["room_type", "words"] }, "o"),
    ).toMatchObject({
      filter: { words: ["x"] },
      include: [MESSAGE],
    });
  });

  it("is described", () => {
    const given = withMessage(
      withFilter(space, { thread: "reply", words: ["a", "b"], mentions: ["x"] }),
      true,
    );
    expect(filterOf(given)).toEqual([
      "Replies in threads",
      "“a” or “b”",
      "Mentioning 1 member",
      "With the message",
    ]);
    expect(filterOf(space)).toEqual([]);
  });
});
