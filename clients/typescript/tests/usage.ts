/** A user's program with the client. It is compiled, not run: each `@ts-expect-error` is an error that types prevent. */

import { Atrium, type Message, NotFound, type NewWebhook, Position, webhooks } from "@atrium/client";

type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Return a function that takes values of exactly this type, not of `any` either. */
function exactly<T>(): <V>(value: V & (Is<V, T> extends true ? unknown : never)) => void {
  return () => undefined;
}

export async function history(atrium: Atrium, roomId: string, stored?: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const message of atrium
    .room(roomId)
    .messages(stored ? { before: Position.parse(stored) } : {})) {
    exactly<Message>()(message);
    exactly<string | null>()(message.thread_root_id);
    texts.push(message.text);
    // @ts-expect-error: a message may have no parent
    texts.push(message.parent_id);
  }
  return texts;
}

export async function requests(atrium: Atrium, path: { organization_id: string }): Promise<void> {
  const { organization } = await atrium.request("GET", "/v1/organizations/{organization_id}", { path });
  exactly<string>()(organization.name);
  // @ts-expect-error: the id is missing
  await atrium.request("GET", "/v1/organizations/{organization_id}");
  // @ts-expect-error: this path has no such method
  await atrium.request("POST", "/v1/me/profile");
  // @ts-expect-error: a GET has no body
  await atrium.request("GET", "/v1/me/profile", { body: {} });
  // @ts-expect-error: a file is not JSON
  await atrium.request("GET", "/v2/attachments/{attachment_id}/content", { path: { attachment_id: "" } });
  for await (const space of atrium.iterate("/v1/organizations/{organization_id}/spaces", "spaces", {
    path,
  })) {
    exactly<"open" | "private">()(space.visibility);
  }
  const test = "/v1/organizations/{organization_id}/webhooks/{webhook_id}/test";
  // @ts-expect-error: this takes no key, so that a repetition would send another ping
  await atrium.request("POST", test, { path: { ...path, webhook_id: "" }, idempotencyKey: "one" });
  // @ts-expect-error: neither does it create anything once
  await atrium.create(test, { path: { ...path, webhook_id: "" } });
  // @ts-expect-error: a page of spaces has no rooms
  atrium.iterate("/v1/organizations/{organization_id}/spaces", "rooms", { path });
  // @ts-expect-error: a profile has no pages
  atrium.pages("/v1/me/profile");
}

export async function subscribe(atrium: Atrium, organizationId: string, roomId: string): Promise<NewWebhook> {
  return await atrium.webhooks(organizationId).create({
    name: "mine",
    endpoint_url: "https://example.org/atrium",
    subscriptions: [
      {
        subject_type: "WEBHOOK_SUBJECT_TYPE_ROOM",
        subject_id: roomId,
        // @ts-expect-error: not an event
        subscription_type: "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_READ",
      },
    ],
  });
}

export async function received(secret: string, request: Request): Promise<string> {
  const event = await webhooks.verify(secret, await request.arrayBuffer(), request.headers);
  // @ts-expect-error: only bytes are signed
  await webhooks.verify(secret, await request.text(), request.headers);
  switch (event.event_type) {
    case "message_sent":
      exactly<Message | undefined>()(event.data.message);
      return event.data.user_id;
    case "audit_entry":
      return event.data.action;
    default:
      return event.delivery_id;
  }
}

export async function events(atrium: Atrium): Promise<string | undefined> {
  try {
    for await (const event of atrium.events()) {
      if (event.event === "message.sent") return event.data.text;
      // @ts-expect-error: other events have other data
      if (event.data.text) return event.id;
    }
  } catch (error) {
    if (error instanceof NotFound) return error.code;
  }
  return undefined;
}
