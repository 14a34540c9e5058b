import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { earlyResponse, forgetEarly } from "./client";

const ORIGIN = "http://atrium.test";
const request = (path: string, method = "GET") => new Request(`${ORIGIN}${path}`, { method });

describe("the responses to early requests", () => {
  beforeEach(() => {
    vi.stubGlobal("location", new URL(`${ORIGIN}/o/1/rooms/2`));
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("read again")));
    vi.stubGlobal("window", {
      early: { responses: new Map<string, Promise<Response>>(), actors: Promise.resolve([]) },
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  const arrives = (path: string, response: Promise<Response>) => window.early?.responses.set(path, response);
  const textOf = async (response: Promise<Response> | undefined) => (await response)?.text();

  it("are used once, and only for the same path and query", async () => {
    arrives("/v2/rooms/2?limit=1", Promise.resolve(new Response("early")));
    expect(earlyResponse(request("/v2/rooms/2"))).toBeUndefined();
    expect(earlyResponse(request("/v2/rooms/2?limit=1", "PATCH"))).toBeUndefined();
    expect(await textOf(earlyResponse(request("/v2/rooms/2?limit=1")))).toBe("early");
    expect(earlyResponse(request("/v2/rooms/2?limit=1"))).toBeUndefined();
  });

  it.each([
    ["an error", () => Promise.resolve(new Response(null, { status: 401 }))],
    ["a lost connection", () => Promise.reject(new TypeError())],
  ])("are requested again after %s", async (_, response) => {
    arrives("/v2/rooms/2", response());
    expect(await textOf(earlyResponse(request("/v2/rooms/2")))).toBe("read again");
  });

  it("are not used after the live stream's hello", () => {
    arrives("/v2/rooms/2", Promise.resolve(new Response("early")));
    forgetEarly();
    expect(earlyResponse(request("/v2/rooms/2"))).toBeUndefined();
  });
});
