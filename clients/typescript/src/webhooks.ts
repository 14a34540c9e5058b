import type { Connection } from "./connection.js";
import type { Delivery, NewWebhook, Schemas, Webhook } from "./types.js";

/** The webhooks of an organization. */
export class Webhooks {
  private readonly path: { organization_id: string };

  constructor(
    private readonly connection: Connection,
    organizationId: string,
  ) {
    this.path = { organization_id: organizationId };
  }

  /** Yield all webhooks. */
  list(): AsyncGenerator<Webhook, void, undefined> {
    return this.connection.iterate(WEBHOOKS, "webhooks", { path: this.path });
  }

  /**
   * Create a webhook. Only this response contains its secret.
   *
   * Repeating the request with the same idempotency key throws Conflict with the code `already_done`; `problem.made`
   * names the webhook.
   */
  async create(
    content: Schemas["WebhookCreate"],
    options: { idempotencyKey?: string } = {},
  ): Promise<NewWebhook> {
    return await this.connection.create(WEBHOOKS, { path: this.path, body: { content }, ...options });
  }

  /** Return a webhook. */
  async read(webhookId: string): Promise<Webhook> {
    return (await this.connection.request("GET", WEBHOOK, { path: this.of(webhookId) })).webhook;
  }

  /** Change what `content` names, and leave the rest: a `status` of WEBHOOK_STATUS_ACTIVE resumes a paused webhook. */
  async update(webhookId: string, content: Schemas["WebhookUpdate"]): Promise<Webhook> {
    const options = { path: this.of(webhookId), body: { content } };
    return (await this.connection.request("PATCH", WEBHOOK, options)).webhook;
  }

  /** Delete a webhook. */
  async delete(webhookId: string): Promise<void> {
    await this.connection.request("DELETE", WEBHOOK, { path: this.of(webhookId) });
  }

  /** Send a `ping` and return its delivery. */
  async test(webhookId: string): Promise<Delivery> {
    return (await this.connection.request("POST", `${WEBHOOK}/test`, { path: this.of(webhookId) })).delivery;
  }

  /** Yield the deliveries in a webhook's log, newest first, since a time if given. */
  deliveries(webhookId: string, options: { since?: Date } = {}): AsyncGenerator<Delivery, void, undefined> {
    const query = { since: options.since?.toISOString() };
    return this.connection.iterate(`${WEBHOOK}/logs`, "logs", { path: this.of(webhookId), query });
  }

  private of(webhookId: string): { organization_id: string; webhook_id: string } {
    return { ...this.path, webhook_id: webhookId };
  }
}

const WEBHOOKS = "/v1/organizations/{organization_id}/webhooks";
const WEBHOOK = "/v1/organizations/{organization_id}/webhooks/{webhook_id}";
