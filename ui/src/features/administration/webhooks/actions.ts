import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { pathOf, type Webhook } from "./queries";

export const createWebhook = (organizationId: string, content: Schemas["WebhookCreate"]) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/webhooks", {
      params: { path: { organization_id: organizationId } },
      body: { content },
    }),
  );

export const changeWebhook = (webhook: Webhook, content: Schemas["WebhookUpdate"]) =>
  unwrap(
    api.PATCH("/v1/organizations/{organization_id}/webhooks/{webhook_id}", {
      params: paramsOf(webhook),
      body: { content },
    }),
  );

export const deleteWebhook = (webhook: Webhook) =>
  unwrap(
    api.DELETE("/v1/organizations/{organization_id}/webhooks/{webhook_id}", { params: paramsOf(webhook) }),
  );

export const testWebhook = (webhook: Webhook) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/webhooks/{webhook_id}/test", { params: paramsOf(webhook) }),
  );

export const rotateSecret = (webhook: Webhook, overlapHours: number) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/webhooks/{webhook_id}/rotate-secret", {
      params: paramsOf(webhook),
      body: { overlap_hours: overlapHours },
    }),
  );

export const replay = (webhook: Webhook, body: Schemas["Replay"]) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/webhooks/{webhook_id}/replay", {
      params: paramsOf(webhook),
      body,
    }),
  );

/** Deliveries are kept 30 days, so this is all of them. */
export const replayMissed = (webhook: Webhook) =>
  replay(webhook, {
    since: webhook.created_at,
    until: new Date(Date.now() + 3_600_000).toISOString(),
    status: "DELIVERY_STATUS_MISSED",
  });

export const resend = (webhook: Webhook, deliveryId: string) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", {
      params: { path: { ...pathOf(webhook.organization_id, webhook.id), delivery_id: deliveryId } },
    }),
  );

const paramsOf = (webhook: Webhook) => ({ path: pathOf(webhook.organization_id, webhook.id) });
