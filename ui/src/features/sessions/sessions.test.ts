import { describe, expect, it } from "vitest";
import { browserOf } from "@/kit/browser";
import { broughtBy, localPath } from "./link";

describe("where a sign-in leads", () => {
  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "",
    undefined,
    "/a\\b",
    "/a b",
  ])("is never elsewhere: %s", (path) => expect(localPath(path)).toBe("/"));

  it("is the page that was asked for", () => {
    expect(localPath("/o/1/rooms/2?message=3")).toBe("/o/1/rooms/2?message=3");
  });
});

it("a link brings its token behind the #", () => {
  expect(broughtBy("#invitation=abc", "")).toEqual({
    link: null,
    invitation: "abc",
    reset: null,
    setUp: null,
  });
  expect(broughtBy("#set-up=xyz", "")).toMatchObject({ link: null, setUp: "xyz" });
  expect(broughtBy("#token=a", "?x=1")).toMatchObject({ link: "a" });
});

it("a reloaded page has the token that it was opened with, a new link its own", () => {
  const brought = broughtBy("#invitation=abc", "");
  expect(broughtBy("", "", { brought })).toEqual(brought);
  expect(broughtBy("#reset=xyz", "", { brought })).toMatchObject({ invitation: null, reset: "xyz" });
  expect(broughtBy("", "", null)).toMatchObject({ invitation: null });
});

it("an invitation waits in the tab while its person signs in", () => {
  expect(broughtBy("", "?join=1", null, "abc")).toMatchObject({ invitation: "abc" });
  expect(broughtBy("", "", null, "abc")).toMatchObject({ invitation: null });
  expect(broughtBy("#invitation=new", "?join=1", null, "abc")).toMatchObject({ invitation: "new" });
});

it("a browser is called as people call it", () => {
  expect(browserOf("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0")).toBe("Firefox on Linux");
  expect(browserOf("curl/8")).toBe("curl/8");
});
