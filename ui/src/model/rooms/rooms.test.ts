import { describe, expect, it } from "vitest";
import { neighbor } from "./order";
import { recentFirst, rememberRoom } from "./recent";

const rooms = ["a", "b", "c", "d"].map((room_id) => ({ room_id }));
const go = (from: string | null, step: 1 | -1, wanted = "abcd") =>
  neighbor(rooms, from, step, ({ room_id }) => wanted.includes(room_id))?.room_id;

describe("the next room", () => {
  it("follows the order of the sidebar and starts again at its end", () => {
    expect([go("b", 1), go("d", 1), go("b", -1), go("a", -1)]).toEqual(["c", "a", "a", "d"]);
  });

  it("is the first one where no room is open, or the last one", () => {
    expect([go(null, 1), go(null, -1)]).toEqual(["a", "d"]);
  });

  it("can be the next unread one, and none without any", () => {
    expect([go("a", 1, "ad"), go("a", -1, "bc"), go("a", 1, "a"), go("a", 1, "")]).toEqual([
      "d",
      "c",
      undefined,
      undefined,
    ]);
  });
});

describe("recent rooms", () => {
  it("come in the order of the last visits, and the open one last of all", () => {
    for (const each of ["a", "b", "c", "b"]) rememberRoom("o", each);
    expect(recentFirst("o", rooms).map((each) => each.room_id)).toEqual(["c", "a", "d", "b"]);
  });

  it("are of one organization", () => {
    expect(recentFirst("other", rooms)).toEqual(rooms);
  });
});
