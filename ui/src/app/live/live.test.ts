import { describe, expect, it } from "vitest";
import { EventReader, type ServerEvent } from "./parse";
import { LiveStream, pauseAfter } from "./stream";

const TEXT =
  'retry: 1000\nid: 1\nevent: hello\ndata: {}\n\n: still here\n\nid: 2\nevent: message.sent\ndata: {"text":"ö"}\n\nid: 3\n\n';

describe("events", () => {
  it.each([1, 2, 7, 1000])("are read whole, however they are cut (%i characters)", (size) => {
    const reader = new EventReader();
    const found: ServerEvent[] = [];
    for (let at = 0; at < TEXT.length; at += size) found.push(...reader.read(TEXT.slice(at, at + size)));
    expect(found).toEqual([
      { id: "1", event: "hello", data: "{}" },
      { id: "2", event: "message.sent", data: '{"text":"ö"}' },
      { id: "3", event: "", data: "" },
    ]);
  });
});

const answer = (text: string) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });

describe("a stream", () => {
  it("goes on behind the last event after a cut, and says that it was cut", async () => {
    const requested: (string | undefined)[] = [];
    const states: string[] = [];
    const events: string[] = [];
    const answers = [
      answer(TEXT),
      Promise.reject(new TypeError("cut")),
      answer("id: 3\nevent: hello\ndata: {}\n\nid: 4\nevent: typing\ndata: {}\n\n"),
    ];
    const stream = new LiveStream({
      url: "/v2/events",
      onEvent: (event) => {
        events.push(event.id);
        if (event.id === "4") stream.stop();
      },
      onSignedOut: () => undefined,
      fetch: (_url, init) => {
        requested.push((init?.headers as Record<string, string>)["Last-Event-ID"]);
        return Promise.resolve(answers.shift() ?? answer(""));
      },
      pause: () => Promise.resolve(),
    });
    stream.connection.subscribe(() => states.push(stream.connection.get()));
    await stream.run();
    expect(requested).toEqual([undefined, "3", "3"]);
    expect(events).toEqual(["1", "2", "4"]);
    expect(states).toContain("lost");
  });

  it("that is cut before its first id starts over and reports it", async () => {
    const requested: (string | undefined)[] = [];
    const kinds: string[] = [];
    const answers = ["", TEXT];
    const stream = new LiveStream({
      url: "/v2/events",
      onEvent: (event) => {
        kinds.push(event.event);
        if (event.event === "message.sent") stream.stop();
      },
      onSignedOut: () => undefined,
      fetch: (_url, init) => {
        requested.push((init?.headers as Record<string, string>)["Last-Event-ID"]);
        return Promise.resolve(answer(answers.shift() ?? ""));
      },
      pause: () => Promise.resolve(),
    });
    await stream.run();
    expect(requested).toEqual([undefined, undefined]);
    expect(kinds).toEqual(["hello", "message.sent"]);
  });

  it("that is refused because nobody is signed in says so and ends", async () => {
    let signedOut = 0;
    const stream = new LiveStream({
      url: "/v2/events",
      onEvent: () => undefined,
      onSignedOut: () => (signedOut += 1),
      fetch: () => Promise.resolve(new Response("", { status: 401 })),
      pause: () => Promise.resolve(),
    });
    await stream.run();
    expect(signedOut).toBe(1);
  });

  it("waits longer after each failure, up to a limit", () => {
    const pauses = [1, 2, 3, 20].map((failures) => pauseAfter(failures, 1));
    expect(pauses).toEqual([500, 1000, 2000, 15_000]);
  });
});
