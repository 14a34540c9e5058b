import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("commas, quotes and line breaks stay in their cell", () => {
  expect(
    toCsv([
      ["Name", "Note"],
      ['Ada "the first"', "a,b\nc"],
    ]),
  ).toBe('Name,Note\r\n"Ada ""the first""","a,b\nc"\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r=1"])(
  "%j is not a formula in a spreadsheet",
  (text) => {
    expect(toCsv([[text]])).toMatch(/^"?'/);
  },
);

test("ordinary text is unchanged", () => {
  expect(toCsv([["Ada Lovelace", "ada@example.org", "a-b", ""]])).toBe(
    "Ada Lovelace,ada@example.org,a-b,\r\n",
  );
});
