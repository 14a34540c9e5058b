import { describe, expect, it } from "vitest";
import { aMessage } from "./room.fixture";
import { merge, EMPTY, trim, mergeRefetched, withMessage, withMessages, withOlder } from "./timeline";

const [one, two, three] = [aMessage(1), aMessage(2), aMessage(3)] as const;
const shown = { ...EMPTY, messages: [one, two] };

describe("an event", () => {
  it("puts a new message at the end, once", () => {
    const received = withMessage(withMessage(shown, three), three);
    expect(received.messages).toEqual([one, two, three]);
  });

  it("of a new message changes nothing where the end is not shown", () => {
    const old = { ...shown, atNewest: false };
    expect(withMessage(old, three)).toBe(old);
  });

  it("of an older message that is not shown changes nothing", () => {
    expect(withMessage({ ...EMPTY, messages: [two, three] }, one).messages).toEqual([two, three]);
  });

  it("changes a message in its place", () => {
    const edited = { ...one, text: "changed", edited_at: "2024-02-01T00:00:00.000Z" };
    expect(withMessage(shown, edited).messages).toEqual([edited, two]);
  });

  it("that comes late takes back neither an edit nor a deletion", () => {
    const edited = { ...one, text: "second", edited_at: "2024-02-02T00:00:00.000Z" };
    const deleted = { ...two, status: "DELETED" as const };
    const now = { ...shown, messages: [edited, deleted] };
    expect(withMessage(withMessage(now, one), two).messages).toEqual([edited, deleted]);
  });
});

describe("a stretch", () => {
  it("that overlaps what is known is merged in order, each message once", () => {
    expect(merge([one, three], [two, three])).toEqual([one, two, three]);
  });

  it("of older messages does not undo what an event changed in the meantime", () => {
    const edited = { ...two, text: "changed", edited_at: "2024-02-01T00:00:00.000Z" };
    const grown = withOlder({ ...shown, messages: [edited, three] }, [one, two], null);
    expect(grown.messages).toEqual([one, edited, three]);
    expect(grown.change).toBe("older");
  });

  it("that is cut at its new end knows that there is more", () => {
    expect(trim({ ...shown, messages: [one, two, three] }, 2)).toMatchObject({
      messages: [one, two],
      atNewest: false,
    });
  });
});

describe("a range that is refetched", () => {
  const stretch = (...messages: (typeof one)[]) => ({ messages, older: null, atNewest: true });

  it("stays as it is where nothing has happened, empty too", () => {
    expect(mergeRefetched(shown, stretch({ ...one }, { ...two }))).toBe(shown);
    expect(mergeRefetched(EMPTY, stretch())).toBe(EMPTY);
  });

  it("has what came meanwhile, and what has changed", () => {
    const edited = { ...one, text: "changed", edited_at: "2024-02-01T00:00:00.000Z" };
    expect(mergeRefetched(shown, stretch(edited, two, three))?.messages).toEqual([edited, two, three]);
    expect(mergeRefetched(EMPTY, stretch(one))?.messages).toEqual([one]);
  });

  it("is another stretch where so much came that there would be a gap", () => {
    expect(mergeRefetched(shown, stretch(three))).toBeNull();
  });

  it("has what was received while it was read, and keeps its change", () => {
    const received = withMessages({ ...shown, change: "older" }, [three]);
    expect(received).toEqual({ ...shown, messages: [one, two, three], change: "older" });
    expect(withMessages(shown, [])).toBe(shown);
  });
});
