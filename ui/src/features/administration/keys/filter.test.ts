import { describe, expect, it, test } from "vitest";
import { filterKeys, keyFilterOf, keySearchOf, sortBy, statesOf, toggleState, type Key } from "./filter";

const NOW = new Date("2026-06-30T12:00:00.000Z");
const at = (days: number) => new Date(NOW.getTime() + days * 86_400_000).toISOString();

const key = (name: string, fields: Partial<Key> = {}) => ({
  names: [name, `Key of ${name}`],
  person: name.length > 6 ? "long" : "short",
  known: {
    api_key_id: name,
    last_four: "x7Qa",
    created_at: at(-200),
    expires_at: null,
    last_used_at: at(-1),
    scopes: null,
    allowed_networks: null,
    ...fields,
  },
});
const KEYS = [
  key("Backup", { last_used_at: null, expires_at: at(-3), created_at: at(-300) }),
  key("archive", { scopes: ["messages:read", "search"], last_used_at: at(-90) }),
  key("Deploy", { expires_at: at(13), last_used_at: at(-2) }),
  key("Report", { expires_at: at(80), scopes: ["webhooks:read"], created_at: at(-10), last_used_at: null }),
];
const names = (search: Parameters<typeof keyFilterOf>[0]) =>
  filterKeys(keyFilterOf(search), KEYS, NOW).map((each) => each.names[0]);

describe("the states of a key", () => {
  it.each([
    ["Backup", ["unused", "expired", "full"]],
    ["archive", ["unused"]],
    ["Deploy", ["ending", "full"]],
    ["Report", []],
  ])("%s: %j", (name, states) => {
    const found = KEYS.find((each) => each.names[0] === name);
    expect(found && statesOf(found.known, NOW)).toEqual(states);
  });
  it.each([
    [{ last_used_at: at(-89.9) }, "unused", false],
    [{ last_used_at: null, created_at: at(-89) }, "unused", false],
    [{ expires_at: at(14) }, "ending", true],
    [{ expires_at: at(14.1) }, "ending", false],
    [{ expires_at: at(0) }, "expired", true],
    [{ expires_at: at(0) }, "ending", false],
    [{ scopes: ["search" as const] }, "full", false],
  ] as const)("%j: %s is %s", (fields, state, is) => {
    expect(statesOf(key("One", { ...fields } as Partial<Key>).known, NOW).includes(state)).toBe(is);
  });
});

test("words, states and a scope are combined", () => {
  expect(names({ find: "KEY of back" })).toEqual(["Backup"]);
  expect(names({ find: "x7qa deploy" })).toEqual(["Deploy"]);
  expect(names({ state: "unused" })).toEqual(["archive", "Backup"]);
  expect(names({ state: "unused,full" })).toEqual(["Backup"]);
  expect(names({ scope: "messages:read", state: "unused" })).toEqual(["archive", "Backup"]);
  expect(names({ person: "long", state: "unused" })).toEqual(["archive"]);
  expect(names({ scope: "webhooks:read" })).toEqual(["Backup", "Deploy", "Report"]);
});

test("keys are sorted both ways, equal ones by name", () => {
  expect(names({})).toEqual(["archive", "Backup", "Deploy", "Report"]);
  expect(names({ sort: "-name" })).toEqual(["Report", "Deploy", "Backup", "archive"]);
  expect(names({ sort: "used" })).toEqual(["Backup", "Report", "archive", "Deploy"]);
  expect(names({ sort: "ends" })).toEqual(["Backup", "Deploy", "Report", "archive"]);
  expect(names({ sort: "-created" })).toEqual(["Report", "archive", "Deploy", "Backup"]);
});

test("a filter survives its URL, and what means nothing is left out", () => {
  const search = { find: "bot", state: "unused,full", scope: "search", person: "1", sort: "-used" };
  expect(keySearchOf(keyFilterOf(search))).toEqual(search);
  expect(keySearchOf(keyFilterOf({ state: "asleep", scope: "all", sort: "-size" }))).toEqual({});
});

test("a state is chosen and taken back, and expired keys do not expire soon", () => {
  const none = keyFilterOf({});
  const unused = toggleState(none, "unused");
  expect(toggleState(unused, "unused")).toEqual(none);
  expect(toggleState(toggleState(unused, "ending"), "expired").states).toEqual(["unused", "expired"]);
});

test("choosing the same column again sorts the other way round", () => {
  const used = sortBy(keyFilterOf({}), "used");
  expect(used.sort).toEqual({ by: "used", isDescending: false });
  expect(sortBy(used, "used").sort.isDescending).toBe(true);
  expect(sortBy(sortBy(used, "used"), "name").sort).toEqual({ by: "name", isDescending: false });
});
