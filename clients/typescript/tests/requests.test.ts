/** How the client handles a server that is busy, unreachable or returns an error; and its other requests. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  APIError,
  Atrium,
  BadRequest,
  Conflict,
  IdempotencyMismatch,
  NO_RETRIES,
  NotFound,
  RateLimited,
  ServerError,
  Unauthenticated,
  UnexpectedResponse,
  Unreachable,
} from "@atrium/client";
import {
  all,
  away,
  type Answer,
  KEY,
  NO_ID,
  ORGANIZATION,
  Proxy,
  QUICK,
  ROOM,
  scripted,
  SERVER,
  SPACE,
  texts,
} from "./support.js";

const SENT: Answer = [
  201,
  { "content-type": "application/json" },
  JSON.stringify({ text: "hello", of_later: 1 }),
];
const quick = (url: string): Atrium => new Atrium(url, "key", { retries: QUICK });

test("a send is retried with one idempotency key", async () => {
  const answers: Answer[] = [null, [503, {}, ""], [502, {}, ""], [429, { "retry-after": "0" }, ""], SENT];
  await scripted(answers, async (url, requests) => {
    assert.equal((await quick(url).room(NO_ID).send("hello")).text, "hello");
    const keys = new Set(requests.map((each) => each.headers["idempotency-key"]));
    assert.deepEqual([requests.length, keys.size], [5, 1]);
    assert.match(String([...keys][0]), /^[0-9a-f]{32}$/);
  });
});

test("the client waits as Retry-After says, in seconds or until a date, but not for long", async () => {
  const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000);
  const answers: Answer[] = [
    [429, { "retry-after": "1" }, ""],
    [503, { "retry-after": date.toUTCString() }, ""],
    SENT,
    [429, { "retry-after": "3600" }, ""],
  ];
  await scripted(answers, async (url, requests) => {
    await quick(url).room(NO_ID).message(NO_ID);
    assert.ok(Number(requests[1]?.at) - Number(requests[0]?.at) >= 990); // a lower bound, not a measurement
    assert.ok(Date.now() >= date.getTime());
    const error = await quick(url)
      .profile()
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof RateLimited && error.retryAfter === 3600);
  });
});

test("a request that may have been processed is not retried", async () => {
  await scripted([null, [502, {}, ""], [500, {}, ""]], async (url, requests) => {
    const room = quick(url).room(NO_ID);
    await assert.rejects(room.edit(NO_ID, "changed"), Unreachable);
    await assert.rejects(room.edit(NO_ID, "changed"), ServerError);
    await assert.rejects(room.send("once"), ServerError);
    assert.equal(requests.length, 3);
  });
});

test("a request that was not sent is retried, unless the client may not", async () => {
  let tried = 0;
  const counting: typeof fetch = async (...request) => {
    tried += 1;
    return await fetch(...request);
  };
  const client = new Atrium(await away(), "key", {
    fetch: counting,
    retries: { ...QUICK, attempts: 2 },
  });
  await assert.rejects(client.room(NO_ID).edit(NO_ID, "changed"), /cannot be reached: .*ECONNREFUSED/);
  assert.equal(tried, 3);
  client.retries = { ...client.retries, retryUnreachable: false };
  await assert.rejects(client.profile(), Unreachable);
  assert.equal(tried, 4);
});

test("a delete whose response was lost succeeds", async () => {
  await scripted([null, [404, {}, ""], [404, {}, ""]], async (url, requests) => {
    await quick(url).room(NO_ID).delete(NO_ID);
    assert.equal(requests.length, 2);
    await assert.rejects(quick(url).room(NO_ID).delete(NO_ID), NotFound);
  });
});

test("a response from something else, a redirect and a silent server are different errors", async () => {
  await scripted(
    [
      [200, {}, "<html>"],
      [302, { location: "/" }, ""],
      [404, {}, "<html>"],
    ],
    async (url, requests) => {
      await assert.rejects(quick(url).profile(), UnexpectedResponse);
      await assert.rejects(quick(url).profile(), UnexpectedResponse);
      const error = await quick(url)
        .profile()
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof NotFound && error.code === "" && error.message === "<html>");
      assert.equal(requests.length, 3);
    },
  );
  const silent: typeof fetch = (_, init) =>
    new Promise((_done, fail) => init?.signal?.addEventListener("abort", () => fail(new Error("silent"))));
  const client = new Atrium("http://atrium.test", "key", {
    fetch: silent,
    timeout: 0.01,
    retries: NO_RETRIES,
  });
  await assert.rejects(client.profile(), Unreachable);
});

test("an aborted request throws the reason, also while it waits to be retried", async () => {
  const signal = AbortSignal.timeout(20);
  await scripted([[429, { "retry-after": "60" }, ""]], async (url) => {
    const reading = quick(url).request("GET", "/v1/me/profile", { signal });
    await assert.rejects(reading, (thrown) => thrown === signal.reason);
    await assert.rejects(
      quick(url).room(NO_ID).send("never", { signal }),
      (thrown) => thrown === signal.reason,
    );
  });
});

test("no id leads to another path, and no error shows the key", async () => {
  const atrium = new Atrium(SERVER, KEY);
  for (const id of ["", ".", ".."]) await assert.rejects(atrium.room(id).read(), TypeError);
  await assert.rejects(atrium.room("../../v1/me/profile").read(), APIError);
  assert.throws(() => new Atrium("localhost:port", KEY), /is not a URL/);
  assert.throws(
    () => new Atrium(SERVER, `${KEY}\n`),
    (thrown) => !String(thrown).includes(KEY),
  );
  assert.ok(!JSON.stringify(atrium).includes(KEY));
});

test("errors carry their problem document", async () => {
  const room = new Atrium(SERVER, KEY).room(ROOM);
  const missing = await room.message(NO_ID).catch((thrown: unknown) => thrown);
  assert.ok(missing instanceof NotFound);
  assert.deepEqual([missing.status, missing.code, missing.name], [404, "message_not_found", "NotFound"]);
  assert.ok(missing.requestId);
  const bad = await room.send("").catch((thrown: unknown) => thrown);
  assert.ok(bad instanceof BadRequest && bad.problem.errors?.[0]?.pointer === "/text");
  const message = await room.send("hello", { idempotencyKey: "one" });
  assert.deepEqual(await room.send("hello", { idempotencyKey: "one" }), message);
  await assert.rejects(room.send("else", { idempotencyKey: "one" }), IdempotencyMismatch);
  await room.delete(message.message_id);
  await assert.rejects(room.delete(message.message_id), Conflict);
  await assert.rejects(new Atrium(SERVER, "atrp_none").profile(), Unauthenticated);
});

test("a send whose response was lost is repeated and not doubled", async () => {
  const proxy = new Proxy();
  const room = new Atrium(await proxy.start(), KEY, { retries: QUICK }).room(ROOM);
  let lost = 0;
  proxy.onResponse = (bytes) => !bytes.includes("HTTP/1.1 201") || ++lost > 2;
  try {
    await room.send("only once");
    assert.equal(lost, 3);
    const found = texts(await all(room.messages())).filter((text) => text === "only once");
    assert.equal(found.length, 1);
  } finally {
    proxy.stop();
  }
});

test("lists are read page by page, and continue from a cursor", async () => {
  const atrium = new Atrium(SERVER, KEY);
  const path = { space_id: SPACE };
  for (const name of ["one", "two", "three"]) {
    await atrium.create("/v2/spaces/{space_id}/rooms", { path, body: { name } });
  }
  const pages = await all(atrium.pages("/v2/spaces/{space_id}/rooms", { path, query: { limit: 1 } }));
  assert.equal(pages.length, 4);
  const cursor = pages[1]?.next_cursor ?? "";
  const rest = await all(atrium.iterate("/v2/spaces/{space_id}/rooms", "rooms", { path, query: { cursor } }));
  assert.deepEqual(
    rest,
    pages.slice(2).flatMap((page) => page.rooms),
  );
  const rooms = await all(atrium.rooms(SPACE));
  assert.deepEqual(
    rooms,
    pages.flatMap((page) => page.rooms),
  );
  assert.equal((await all(atrium.spaces(ORGANIZATION)))[0]?.space_id, SPACE);
  const [organization] = await all(atrium.organizations());
  assert.deepEqual([organization?.organization_id, organization?.role], [ORGANIZATION, "super_admin"]);
});

test("people, reactions and search", async () => {
  const atrium = new Atrium(SERVER, KEY);
  const room = atrium.room(ROOM);
  const { person_id: personId, name } = await atrium.profile();
  assert.equal((await atrium.actors(ORGANIZATION, [personId]))[0]?.name, name);
  const sent = await room.send("the analytical engine");
  assert.equal((await room.react(sent.message_id, "👍")).reactions[0]?.emoji, "👍");
  assert.ok((await room.edit(sent.message_id, "the analytic engine")).edited_at);
  let found = await all(atrium.search(ORGANIZATION, "engine"));
  while (found.length === 0) found = await all(atrium.search(ORGANIZATION, "engine")); // until it is indexed
  assert.ok(found[0]?.type === "message" && found[0].message_id === sent.message_id);
});

test("incoming webhooks are created, listed and revoked", async () => {
  const room = new Atrium(SERVER, KEY).room(ROOM);
  const urls = room.incomingWebhooks();
  const made = await urls.create("Alertmanager", { idempotencyKey: "alerts" });
  const repeated = await urls
    .create("Alertmanager", { idempotencyKey: "alerts" })
    .catch((thrown: unknown) => thrown);
  assert.ok(repeated instanceof Conflict && repeated.problem.made?.id === made.incoming_webhook_id);
  assert.equal((await fetch(made.url, { method: "POST", body: '{"text": "disk full"}' })).status, 200);
  assert.equal((await all(urls.list()))[0]?.last_four, made.url.slice(-4));
  await urls.revoke(made.incoming_webhook_id);
  assert.deepEqual(await all(urls.list()), []);
});
