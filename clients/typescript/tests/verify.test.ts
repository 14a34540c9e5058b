/** What `verify` accepts and rejects, with deliveries of a real server. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, before, mock, test } from "node:test";
import { Atrium, InvalidSignature, type NewWebhook, StaleDelivery, webhooks } from "@atrium/client";
import { all, KEY, listening, ORGANIZATION, portOf, ROOM, SERVER } from "./support.js";

interface Delivery {
  body: Uint8Array;
  headers: Record<string, string>;
}

const atrium = new Atrium(SERVER, KEY);
const manage = atrium.webhooks(ORGANIZATION);
const room = atrium.room(ROOM);
const OTHER = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const arrived: Delivery[] = [];
let wake = (): void => undefined;
let made: NewWebhook;
let delivery: Delivery; // of a message

const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request
    .on("data", (part: Buffer) => parts.push(part))
    .on("end", () => {
      arrived.push({ body: Buffer.concat(parts), headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
      wake();
    });
});

async function nextDelivery(): Promise<Delivery> {
  while (arrived.length === 0) await new Promise<void>((done) => (wake = done));
  return arrived.shift() as Delivery;
}

before(async () => {
  await listening(receiver);
  made = await manage.create({
    name: "mine",
    endpoint_url: `http://127.0.0.1:${portOf(receiver)}/`,
    subscriptions: [
      {
        subject_type: "WEBHOOK_SUBJECT_TYPE_ROOM",
        subject_id: ROOM,
        subscription_type: "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
        filter: { words: ["hello"] },
        include: ["message"],
      },
    ],
    retry_schedule: [60],
    time_limit: 5,
  });
  await room.send("Hello, é");
  delivery = await nextDelivery();
});

after(() => receiver.close());

test("the deliveries of a server are verified and typed", async () => {
  const event = await webhooks.verify(made.secret, delivery.body, delivery.headers);
  assert.ok(event.event_type === "message_sent");
  assert.deepEqual([event.data.room_id, event.data.message?.text], [ROOM, "Hello, é"]);
  const [logged] = await all(manage.deliveries(made.webhook.id));
  assert.equal(event.delivery_id, logged?.delivery_id);
  assert.equal((await manage.test(made.webhook.id)).status, "DELIVERY_STATUS_SUCCEEDED");
  const ping = await nextDelivery();
  assert.equal((await webhooks.verify(made.secret, ping.body, ping.headers)).event_type, "ping");
});

test("headers are found in any form", async () => {
  const { body, headers } = delivery;
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const buffer = new Uint8Array(body).buffer;
  for (const form of [headers, upper, new Headers(headers)]) {
    assert.equal((await webhooks.verify(made.secret, buffer, form)).event_type, "message_sent");
  }
});

test("what is tampered with or signed by another is rejected", async () => {
  const { body, headers } = delivery;
  const bodies = [
    Buffer.concat([body, Buffer.from(" ")]),
    body.slice(0, -1),
    body.with(20, 0),
    Buffer.alloc(0),
  ];
  for (const tampered of bodies) {
    await assert.rejects(webhooks.verify(made.secret, tampered, headers), InvalidSignature);
    await assert.rejects(
      webhooks.verify(made.secret, tampered, headers, { tolerance: null }),
      InvalidSignature,
    );
  }
  const changes: Record<string, string>[] = [
    { "webhook-id": "else" },
    { "webhook-id": "" },
    { "webhook-signature": "" },
    { "webhook-signature": `v2,${headers["webhook-signature"]?.slice(3)}` },
    ...["", "soon", "-1", "1e9", "٣", "9".repeat(40), String(Math.floor(Date.now() / 1000) + 9)].map(
      (at) => ({
        "webhook-timestamp": at,
      }),
    ),
  ];
  for (const change of changes) {
    await assert.rejects(webhooks.verify(made.secret, body, { ...headers, ...change }), InvalidSignature);
  }
  await assert.rejects(webhooks.verify(OTHER, body, headers), InvalidSignature);
  await assert.rejects(webhooks.verify([], body, headers), InvalidSignature);
  await assert.rejects(webhooks.verify(made.secret, body, {}), /webhook-signature is missing/);
});

test("an old delivery and one of the future are stale", async () => {
  const { body, headers } = delivery;
  for (const seconds of [302, 86_400, -302]) {
    mock.timers.enable({ apis: ["Date"], now: Date.now() + seconds * 1000 });
    try {
      await assert.rejects(webhooks.verify(made.secret, body, headers), StaleDelivery);
      await webhooks.verify(made.secret, body, headers, { tolerance: 2 * 86_400 });
      await webhooks.verify(made.secret, body, headers, { tolerance: null });
    } finally {
      mock.timers.reset();
    }
  }
});

test("without a tolerance, the signature of the body alone is enough", async () => {
  const only = Object.fromEntries(
    Object.entries(delivery.headers).filter(([name]) => !name.startsWith("webhook-")),
  );
  await assert.rejects(webhooks.verify(made.secret, delivery.body, only), /webhook-signature is missing/);
  const event = await webhooks.verify(made.secret, delivery.body, only, { tolerance: null });
  assert.equal(event.delivery_id, delivery.headers["x-service-delivery"]);
  await assert.rejects(
    webhooks.verify(OTHER, delivery.body, only, { tolerance: null }),
    /X-Service-Signature does not/,
  );
});

test("during a rotation the old and the new secret are valid", async () => {
  const path = { organization_id: ORGANIZATION, webhook_id: made.webhook.id };
  const rotate = "/v1/organizations/{organization_id}/webhooks/{webhook_id}/rotate-secret";
  const rotated = await atrium.create(rotate, { path, body: { overlap_hours: 1 } });
  await room.send("hello again");
  const { body, headers } = await nextDelivery();
  assert.equal(headers["webhook-signature"]?.split(" ").length, 2);
  for (const secret of [made.secret, rotated.secret, [OTHER, rotated.secret]]) {
    assert.equal((await webhooks.verify(secret, body, headers)).event_type, "message_sent");
  }
  await assert.rejects(webhooks.verify(OTHER, body, headers), InvalidSignature);
});

test("only events and real secrets are accepted, and only bytes", async () => {
  const [id, at] = ["one", String(Math.floor(Date.now() / 1000))];
  for (const body of ["[]", "null", '{"event_type": "ping"}', "not JSON"]) {
    const hmac = createHmac("sha256", Buffer.alloc(24, 7)).update(`${id}.${at}.${body}`).digest("base64");
    const headers = { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": `v1,${hmac}` };
    await assert.rejects(webhooks.verify(OTHER, Buffer.from(body), headers), /is not an event/);
  }
  for (const secret of ["whsec_é!", "whsec_", "whsec_abc"]) {
    await assert.rejects(webhooks.verify(secret, delivery.body, delivery.headers), /a webhook secret is/);
  }
  const parsed = JSON.parse(Buffer.from(delivery.body).toString()) as never;
  await assert.rejects(webhooks.verify(made.secret, parsed, delivery.headers), TypeError);
});

test("webhooks are listed, changed and deleted", async () => {
  assert.deepEqual(
    (await all(manage.list())).map((each) => each.id),
    [made.webhook.id],
  );
  const paused = await manage.update(made.webhook.id, { status: "WEBHOOK_STATUS_INACTIVE" });
  assert.deepEqual(
    [paused.status, paused.retry_schedule, paused.time_limit],
    ["WEBHOOK_STATUS_INACTIVE", [60], 5],
  );
  assert.equal((await manage.read(made.webhook.id)).status, "WEBHOOK_STATUS_INACTIVE");
  await manage.delete(made.webhook.id);
  assert.deepEqual(await all(manage.list()), []);
});
