import { describe, expect, it } from "vitest";
import { boundsOf, dayOf, monthsBefore } from "@/kit/text/days";
import type { Message } from "./history";
import { landingOn, positionAt } from "./jump";

const sent = (...times: string[]) =>
  times.map((each) => ({ sent_at: new Date(each).toISOString() }) as Message);
const landed = (day: string, messages: Message[]) => {
  const bounds = boundsOf(day);
  const found = bounds && landingOn(messages, bounds);
  return found && dayOf(new Date(found.sent_at));
};

describe("a jump to a day", () => {
  const messages = sent("2026-03-02T09:00", "2026-03-02T18:00", "2026-03-05T00:00", "2026-03-05T23:59:59");

  it("lands on the first message of the day", () => {
    const bounds = boundsOf("2026-03-05");
    expect(bounds && landingOn(messages, bounds)).toBe(messages[2]);
  });

  it("lands on the nearest earlier day if nothing was sent", () => {
    const bounds = boundsOf("2026-03-04");
    expect(bounds && landingOn(messages, bounds)).toBe(messages[1]);
    expect(landed("2027-01-01", messages)).toBe("2026-03-05");
  });

  it("lands on the first message if there is nothing earlier, and nowhere in an empty room", () => {
    expect(landed("2020-01-01", messages)).toBe("2026-03-02");
    expect(landed("2020-01-01", [])).toBeUndefined();
  });

  it("begins before the first id of its time", () => {
    const { sent_at, message_id } = positionAt(Date.parse("2026-03-05T00:00:00.000Z"));
    expect(sent_at).toBe("2026-03-05T00:00:00.000Z");
    expect(message_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7000-8000-0{12}$/);
    expect(Number.parseInt(message_id.slice(0, 13).replace("-", ""), 16)).toBe(Date.parse(sent_at));
  });
});

describe("days", () => {
  it("are counted in the calendar", () => {
    expect(dayOf(new Date(2026, 2, 1), -1)).toBe("2026-02-28");
    expect(monthsBefore(new Date(2026, 2, 31), 1)).toBe("2026-02-28");
    expect(monthsBefore(new Date(2026, 0, 15), 1)).toBe("2025-12-15");
  });

  it.each(["2026-02-30", "yesterday", "", "26-1-1"])("are not anything: %s", (text) =>
    expect(boundsOf(text)).toBeNull(),
  );
});
