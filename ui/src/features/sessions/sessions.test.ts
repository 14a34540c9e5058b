import { describe, expect, it } from "vitest";
import { browserOf } from "@/kit/text/browser";
import { readLinkTokens, localPath } from "./link";

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
  expect(readLinkTokens("#invitation=abc", "")).toEqual({
    link: null,
    invitation: "abc",
    reset: null,
    setUp: null,
  });
  expect(readLinkTokens("#set-up=xyz", "")).toMatchObject({ link: null, setUp: "xyz" });
  expect(readLinkTokens("#token=a", "?x=1")).toMatchObject({ link: "a" });
});

it("a reloaded page has the token that it was opened with, a new link its own", () => {
  const brought = readLinkTokens("#invitation=abc", "");
  expect(readLinkTokens("", "", { brought })).toEqual(brought);
  expect(readLinkTokens("#reset=xyz", "", { brought })).toMatchObject({ invitation: null, reset: "xyz" });
  expect(readLinkTokens("", "", null)).toMatchObject({ invitation: null });
});

it("an invitation waits in the tab while its person signs in", () => {
  expect(readLinkTokens("", "?join=1", null, "abc")).toMatchObject({ invitation: "abc" });
  expect(readLinkTokens("", "", null, "abc")).toMatchObject({ invitation: null });
  expect(readLinkTokens("#invitation=new", "?join=1", null, "abc")).toMatchObject({ invitation: "new" });
});

it("a browser is called as people call it", () => {
  expect(browserOf("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0")).toBe("Firefox on Linux");
  expect(browserOf("curl/8")).toBe("curl/8");
});
