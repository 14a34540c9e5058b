import { expect, test } from "vitest";
import { addressesIn } from "./addresses";

test.each([
  ["commas", "a@example.org,b@example.org, c@example.org"],
  ["spaces and lines", "a@example.org b@example.org\n\tc@example.org\r\n"],
  ["semicolons", "a@example.org; b@example.org;c@example.org;"],
  ["names", 'Ada L. <a@example.org>, "B, the second" <b@example.org>\nc@example.org'],
])("addresses separated by %s", (_, text) => {
  expect(addressesIn(text).found).toEqual(["a@example.org", "b@example.org", "c@example.org"]);
});

test("a repeated address counts once, in upper or lower case", () => {
  expect(addressesIn("a@example.org A@EXAMPLE.org")).toEqual({
    found: ["a@example.org"],
    repeated: ["A@EXAMPLE.org"],
    wrong: [],
  });
});

test("what is no address is listed separately", () => {
  expect(addressesIn("ada, a@b, a@@example.org, ok@example.org").wrong).toEqual([
    "ada",
    "a@b",
    "a@@example.org",
  ]);
  expect(addressesIn("  \n").found).toEqual([]);
});
