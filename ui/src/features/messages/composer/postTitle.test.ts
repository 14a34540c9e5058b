import { expect, test } from "vitest";
import { splitTitle, withTitle } from "./postTitle";

test.each([
  ["It moves", "to March"],
  ["", "only text"],
  ["only a title", ""],
])("a post with the title %j keeps it", (title, text) => {
  expect(splitTitle(withTitle(title, text))).toEqual({ title, text });
});

test("a title is one line", () => {
  expect(withTitle(" It\nmoves ", "to March")).toBe("# It moves\n\nto March");
});

test("a smaller heading is text", () => {
  expect(splitTitle("## It moves\n\nto March")).toEqual({ title: "", text: "## It moves\n\nto March" });
});
