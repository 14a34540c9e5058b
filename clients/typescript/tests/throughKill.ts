/**
 * Sends to a room and follows it while the server is killed and started again, until a line comes on standard input.
 * Prints a line when it has received ten messages.
 */

import assert from "node:assert/strict";
import { Atrium, type Message } from "@atrium/client";
import { all, KEY, MANY, ROOM, SERVER, until } from "./support.js";

const room = new Atrium(SERVER, KEY, { retries: MANY }).room(ROOM);
const root = await room.send("root");
const thread = room.thread(root.message_id);
const inRoom = until(announced(room.messages({ after: root, follow: true })), "last");
const inThread = until(thread.messages({ follow: true, pageSize: 3 }), "last reply");

let isFinished = false;
process.stdin.once("data", () => (isFinished = true));
const sent: Message[] = [];
for (let number = 0; !isFinished; number += 1) {
  sent.push(await (number % 3 ? room.send(`message ${number}`) : thread.send(`reply ${number}`)));
}
sent.push(await thread.send("last reply"), await room.send("last"));

const replies = sent.filter((message) => message.thread_root_id);
assert.ok(replies.length > 2);
assert.deepEqual(await inRoom, sent);
assert.deepEqual(await inThread, replies);
assert.deepEqual(await all(thread.messages({ pageSize: 7 })), replies);
assert.deepEqual(
  await all(room.messages()),
  [root, ...sent].reverse().map((message) => freshest(message)),
);
process.exit();

/** Yield the messages, and print a line with the tenth. */
async function* announced(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  let count = 0;
  for await (const message of messages) {
    if ((count += 1) === 10) process.stdout.write("following\n");
    yield message;
  }
}

/** Return the message with what its replies have changed since. */
function freshest(message: Message): Message {
  const last = replies.at(-1)?.sent_at ?? null;
  return message === root ? { ...root, reply_count: replies.length, last_reply_at: last } : message;
}
