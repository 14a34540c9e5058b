import { expect, test } from "vitest";
import { filterMembers, peopleFilterOf, stateOf } from "./filter";
import { toRows, countOf } from "./listing";
import type { Member } from "./queries";

const member = (name: string, fields: Partial<Member> = {}): Member => ({
  person_id: name,
  name,
  email: `${name.toLowerCase()}@example.org`,
  role: "member",
  active: true,
  imported: false,
  created_at: "2026-01-01T00:00:00.000Z",
  ...fields,
});
const PEOPLE = [
  member("Zoe"),
  member("Ada", { role: "admin" }),
  member("Slackbot", { imported: true, active: false, email: null }),
  member("Grace", { imported: true }),
  member("Gone", { active: false }),
];
const names = (members: Member[]) => members.map((each) => each.name);

test("imported people are a state of their own, whether or not they were deactivated", () => {
  expect(PEOPLE.map(stateOf)).toEqual(["active", "active", "imported", "imported", "deactivated"]);
});

test("active people come first, then imported ones, each by name", () => {
  expect(names(filterMembers({}, PEOPLE))).toEqual(["Ada", "Zoe", "Grace", "Slackbot", "Gone"]);
});

test("words, a state and a role are combined", () => {
  expect(names(filterMembers({ state: "imported" }, PEOPLE))).toEqual(["Grace", "Slackbot"]);
  expect(names(filterMembers({ role: "admin" }, PEOPLE))).toEqual(["Ada"]);
  expect(names(filterMembers({ find: "EXAMPLE g", state: "imported" }, PEOPLE))).toEqual(["Grace"]);
});

test("the heading counts active people and says how many a filter shows", () => {
  expect(countOf({}, PEOPLE)).toBe("2 active members · 2 imported");
  expect(countOf({ find: " " }, PEOPLE)).toBe("2 active members · 2 imported");
  expect(countOf({ find: "a", role: "admin" }, PEOPLE)).toBe("1 of 5 members");
});

test("a URL with unknown values filters nothing", () => {
  expect(peopleFilterOf({ state: "asleep", role: 7 })).toEqual({});
  expect(peopleFilterOf({ state: "imported", role: "guest" })).toEqual({ state: "imported", role: "guest" });
});

test("the table has a heading and a row for each person", () => {
  expect(toRows(PEOPLE.slice(2, 3))).toEqual([
    ["Name", "Email address", "Role", "Status", "Joined"],
    ["Slackbot", "", "Member", "Imported", "2026-01-01T00:00:00.000Z"],
  ]);
});
