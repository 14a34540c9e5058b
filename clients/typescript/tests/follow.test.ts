/** The client follows rooms and live events: each message once, however often the connection breaks. */

import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { mock, test } from "node:test";
import {
  Atrium,
  type LiveEvent,
  type Message,
  NO_RETRIES,
  NotFound,
  type Room,
  ServerError,
  Unreachable,
} from "@atrium/client";
import {
  away,
  KEY,
  listening,
  MANY,
  NO_ID,
  portOf,
  Proxy,
  QUICK,
  ROOM,
  scripted,
  SERVER,
  SPACE,
  texts,
  until,
} from "./support.js";

const atrium = new Atrium(SERVER, KEY);

async function newRoom(name: string): Promise<Room> {
  const options = { path: { space_id: SPACE }, body: { name } };
  return atrium.room((await atrium.create("/v2/spaces/{space_id}/rooms", options)).room_id);
}

/** Run with a client whose connections pass a proxy. */
async function throughProxy(use: (proxy: Proxy, atrium: Atrium) => Promise<void>): Promise<void> {
  const proxy = new Proxy();
  try {
    await use(proxy, new Atrium(await proxy.start(), KEY, { retries: MANY }));
  } finally {
    proxy.stop();
  }
}

test("following yields missed events, then new ones", async () => {
  const room = await newRoom("missed");
  const known = await room.send("known");
  for (const number of [1, 2, 3, 4, 5]) await room.send(`missed ${number}`);
  const followed = room.messages({ after: known, follow: true, pageSize: 2 });
  const missed: Message[] = [];
  for (let count = 0; count < 5; count += 1) missed.push(await next(followed));
  assert.deepEqual(
    texts(missed),
    [1, 2, 3, 4, 5].map((number) => `missed ${number}`),
  );
  for (const number of [1, 2, 3]) {
    const sent = await room.send(`live ${number}`);
    assert.deepEqual(await next(followed), sent);
  }
  await followed.return();
});

test("following loses and repeats nothing while the connection breaks again and again", async () => {
  const room = await newRoom("broken");
  const root = await room.send("root");
  await throughProxy(async (proxy, broken) => {
    let passed = 0;
    proxy.onResponse = () => (passed += 1) % 7 !== 0; // every seventh packet breaks its connection instead
    const there = broken.room(room.roomId);
    const inRoom = until(there.messages({ after: root, follow: true, pageSize: 5 }), "last");
    const inThread = until(
      there.thread(root.message_id).messages({ follow: true, pageSize: 3 }),
      "last reply",
    );
    const sent: Message[] = [];
    const reply = async (text: string): Promise<Message> => await room.thread(root.message_id).send(text);
    for (let number = 0; number < 90; number += 1) {
      sent.push(await (number % 3 ? room.send(`message ${number}`) : reply(`reply ${number}`)));
      if (number % 30 === 29) proxy.cut();
    }
    sent.push(await reply("last reply"), await room.send("last"));
    assert.deepEqual(await inRoom, sent);
    assert.deepEqual(
      await inThread,
      sent.filter((message) => message.thread_root_id),
    );
    assert.ok(proxy.connections > 5);
  });
});

test("live events resume after the last one, each once", async () => {
  const room = await newRoom("events");
  await throughProxy(async (proxy, broken) => {
    const events = broken.events({ roomId: room.roomId });
    assert.equal((await next(events)).event, "hello");
    const seen: LiveEvent[] = [];
    for (const number of [1, 2, 3, 4]) {
      if (number % 2) proxy.cut();
      const sent = await room.send(`event ${number}`);
      let event = await next(events);
      while (event.event === "hello") event = await next(events);
      assert.ok(event.event === "message.sent");
      assert.deepEqual(event.data.message_id, sent.message_id);
      seen.push(event);
    }
    await events.return();
    const again = broken.room(room.roomId).events({ lastEventId: seen[1]?.id });
    assert.deepEqual([(await next(again)).event, (await next(again)).data], ["hello", seen[2]?.data]);
    await again.return();
    assert.ok(proxy.connections >= 4);
  });
});

test("an id of another server starts with reset", async () => {
  const events = atrium.events({ lastEventId: "00000000.1.1:1:" });
  assert.equal((await next(events)).event, "reset");
  await events.return();
});

test("following ends when it is aborted, while it waits for messages", async () => {
  for (const retries of [MANY, NO_RETRIES]) {
    const client = new Atrium(SERVER, KEY, { retries });
    const room = client.room(ROOM);
    const ended = new AbortController();
    const { signal } = ended;
    const now = await room.send("now");
    const inRoom = until(room.messages({ after: now, follow: true, signal }), "never");
    const inThread = until(room.thread(now.message_id).messages({ follow: true, signal }), "never");
    const events: string[] = [];
    for await (const event of client.events({ signal })) {
      events.push(event.event);
      setTimeout(() => ended.abort()); // while the next one is waited for
    }
    assert.deepEqual(events, ["hello"]);
    assert.deepEqual([await inRoom, await inThread], [[], []]);
  }
});

test("following ends when it is aborted, while it waits for the server", async () => {
  const client = new Atrium(await away(), KEY, { retries: { ...MANY, firstWait: 60, maxWait: 60 } });
  const ended = new AbortController();
  const { signal } = ended;
  const following = until(client.room(ROOM).messages({ follow: true, signal }), "never");
  const listening = client.events({ signal }).next();
  ended.abort();
  assert.deepEqual([await following, (await listening).done], [[], true]);
});

test("a stream that is silent for longer than its heartbeats is replaced", async () => {
  const streams: ServerResponse[] = [];
  const server = createServer((_, response) => {
    streams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
    response.write(`id: ${streams.length}\nevent: typing\ndata: {}\n\n`);
  });
  await listening(server);
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const events = new Atrium(`http://127.0.0.1:${portOf(server)}`, "key").events();
    assert.equal((await next(events)).id, "1");
    const second = next(events);
    for (const heartbeat of [1, 2, 3]) {
      mock.timers.tick(44_000);
      const arrived = new Promise((done) => streams[0]?.write(`: ${heartbeat}\n`, done));
      await arrived;
      await turns();
      assert.equal(streams.length, 1);
    }
    mock.timers.tick(45_000);
    await turns();
    mock.timers.tick(1000); // the pause before it connects again
    assert.equal((await second).id, "2");
    await events.return();
  } finally {
    mock.timers.reset();
    server.closeAllConnections();
    server.close();
  }
});

/** Let what has arrived be processed. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((done) => setImmediate(done));
}

test("following waits as Retry-After says, and throws what stays", async () => {
  const stream = [
    200,
    { "content-type": "text/event-stream" },
    "retry: 10\nid: 1\nevent: typing\ndata: {}\n\nid: 2\n\n",
  ];
  const answers = [[503, { "retry-after": "1" }, ""], stream, null, [500, {}, ""]] as Parameters<
    typeof scripted
  >[0];
  await scripted(answers, async (url, requests) => {
    const events = new Atrium(url, "key", { retries: QUICK }).events();
    assert.deepEqual(await next(events), { id: "1", event: "typing", data: {} });
    await assert.rejects(next(events), ServerError);
    assert.ok(Number(requests[1]?.at) - Number(requests[0]?.at) >= 990);
    assert.deepEqual(
      requests.map(({ headers }) => headers["last-event-id"]),
      [undefined, undefined, "2", "2"],
    );
  });
  await assert.rejects(next(new Atrium(await away(), KEY, { retries: QUICK }).events()), Unreachable);
  await assert.rejects(next(atrium.room(NO_ID).events()), NotFound);
});

async function next<T>(items: AsyncGenerator<T, void, undefined>): Promise<T> {
  const { done, value } = await items.next();
  assert.ok(!done, "the iteration ended");
  return value;
}
