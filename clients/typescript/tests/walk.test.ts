/** The client reads and continues a history and a thread: each message once, even while others are sent. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Atrium, type Message, NotFound, Position, type Room } from "@atrium/client";
import { all, KEY, NO_ID, ROOM, SERVER, SPACE, texts } from "./support.js";

const atrium = new Atrium(SERVER, KEY);

async function newRoom(name: string): Promise<Room> {
  const options = { path: { space_id: SPACE }, body: { name } };
  return atrium.room((await atrium.create("/v2/spaces/{space_id}/rooms", options)).room_id);
}

test("1,000 messages of many windows are read once each, newest first, while others are sent", async () => {
  const room = atrium.room(ROOM);
  const found: Message[] = [];
  let isReading = true;
  const sendMeanwhile = async (): Promise<number> => {
    let count = 0;
    for (; isReading; count += 1) await room.send("meanwhile");
    return count;
  };
  const sending = sendMeanwhile();
  for await (const message of room.messages({ pageSize: 50 })) found.push(message);
  isReading = false;
  assert.ok((await sending) > 3);
  const ids = found.map((message) => message.message_id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids, [...ids].sort().reverse());
  const old = Array.from({ length: 1000 }, (_, number) => `old ${999 - number}`);
  assert.deepEqual(texts(found).slice(-1000), old);
  assert.deepEqual(new Set(texts(found).slice(0, -1000)), new Set(found.length > 1000 ? ["meanwhile"] : []));
});

test("a history continues from any position, backward and forward", async () => {
  const room = atrium.room(ROOM);
  const complete = await all(room.messages());
  for (const cut of [0, 1, 7, 333, complete.length - 2, complete.length - 1]) {
    const stored = Position.parse(Position.format(complete[cut] as Message));
    assert.deepEqual(await all(room.messages({ before: stored })), complete.slice(cut + 1));
    assert.deepEqual(await all(room.messages({ after: stored })), complete.slice(0, cut).reverse());
  }
});

test("a thread is read once, oldest first, and continues from a reply", async () => {
  const room = await newRoom("threads");
  const root = await room.send("root");
  const thread = room.thread(root.message_id);
  const replies: Message[] = [];
  for (const text of ["one", "two", "three", "four", "five"]) replies.push(await thread.send(text));
  assert.equal((await thread.root()).text, "root");
  assert.deepEqual(texts(await all(room.messages({ topLevel: true }))), ["root"]);
  assert.deepEqual(await all(thread.messages({ pageSize: 2 })), replies);
  assert.deepEqual(await all(thread.messages({ after: replies[2], pageSize: 2 })), replies.slice(3));
});

test("an empty room has no messages, an unknown one is an error", async () => {
  assert.deepEqual(await all((await newRoom("empty")).messages()), []);
  assert.deepEqual(
    await all(
      (await newRoom("empty too")).messages({
        after: { sent_at: "2020-01-01T00:00:00Z", message_id: NO_ID },
      }),
    ),
    [],
  );
  await assert.rejects(all(atrium.room(NO_ID).messages()), NotFound);
});

test("an aborted walk throws, because it would otherwise look complete", async () => {
  const ended = new AbortController();
  const found: Message[] = [];
  const walk = async (): Promise<void> => {
    for await (const message of atrium.room(ROOM).messages({ pageSize: 10, signal: ended.signal })) {
      found.push(message);
      ended.abort();
    }
  };
  await assert.rejects(walk(), (thrown) => thrown === ended.signal.reason);
  assert.equal(found.length, 10); // the rest of the page was here already
});

test("positions are stored as text, and anything else is rejected", async () => {
  const message = await (await newRoom("positions")).send("here");
  const { sent_at, message_id } = message;
  assert.equal(Position.format(message), `${sent_at}/${message_id}`);
  assert.deepEqual(Position.parse(Position.format(message)), { sent_at, message_id });
  for (const text of ["", "yesterday/none", `${sent_at}/`, `${sent_at}/${message_id}/`]) {
    assert.throws(() => Position.parse(text), RangeError);
  }
  assert.throws(() => atrium.room(ROOM).messages({ before: message, follow: true }), /before reads back/);
});
