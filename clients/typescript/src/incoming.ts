import type { Connection } from "./connection.js";
import type { IncomingWebhook, NewIncomingWebhook } from "./types.js";

/** The incoming webhooks of a room: the URLs that tools post to. They require the role admin in its space. */
export class IncomingWebhooks {
  private readonly path: { room_id: string };

  constructor(
    private readonly connection: Connection,
    roomId: string,
  ) {
    this.path = { room_id: roomId };
  }

  /** Yield all that are not revoked, oldest first, without their URLs. */
  list(): AsyncGenerator<IncomingWebhook, void, undefined> {
    return this.connection.iterate(INCOMING, "incoming_webhooks", { path: this.path });
  }

  /**
   * Create an incoming webhook. Only this response contains its URL; its messages are sent under `name`.
   *
   * Repeating the request with the same idempotency key throws Conflict with the code `already_done`; `problem.made`
   * names the incoming webhook.
   */
  async create(name: string, options: { idempotencyKey?: string } = {}): Promise<NewIncomingWebhook> {
    return await this.connection.create(INCOMING, { path: this.path, body: { name }, ...options });
  }

  /** Revoke an incoming webhook. Its URL stops working immediately; its messages stay. */
  async revoke(incomingWebhookId: string): Promise<void> {
    const path = { ...this.path, incoming_webhook_id: incomingWebhookId };
    await this.connection.request("DELETE", `${INCOMING}/{incoming_webhook_id}`, { path });
  }
}

const INCOMING = "/v2/rooms/{room_id}/incoming-webhooks";
