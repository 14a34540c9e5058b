import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { useOwnOrganizations } from "@/model/people/queries";

export type Webhook = Schemas["Webhook"];
export type Subscription = Schemas["Subscription"];
export type Delivery = Schemas["Delivery"];
export type Attempt = Schemas["Attempt"];
export type Health = Schemas["WebhookHealth"];
export type HealthBy = "hour" | "day";
export type DeliveryStatus = Schemas["DeliveryStatus"];
export type EventType = Schemas["EventType"];

export interface LogFilters {
  status?: DeliveryStatus;
  event_type?: string;
  since?: string;
  until?: string;
}

/** The events of this release. */
export const eventTypes = queryOptions({
  queryKey: ["event types"],
  queryFn: async () => (await unwrap(api.GET("/v1/event-types", {}))).event_types,
  staleTime: Infinity,
});

/** How many of the newest messages subscriptions would have chosen. */
export const previewOf = (organizationId: string, subscriptions: Subscription[]) =>
  queryOptions({
    queryKey: ["webhook preview", organizationId, subscriptions],
    queryFn: () =>
      unwrap(
        api.POST("/v1/organizations/{organization_id}/webhook-preview", {
          params: { path: { organization_id: organizationId } },
          body: { content: { subscriptions } },
        }),
      ),
    staleTime: 30_000,
  });

/** No live event reports deliveries, so the page polls while it is visible. */
const LOOK_AGAIN = 3000;

export const webhooksOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["webhooks", organizationId],
    refetchInterval: LOOK_AGAIN * 4,
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/webhooks", {
              params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.webhooks,
      ),
  });

export const webhookOf = (organizationId: string, webhookId: string) =>
  queryOptions({
    queryKey: ["webhook", organizationId, webhookId],
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
    queryFn: async () =>
      (
        await unwrap(
          api.GET("/v1/organizations/{organization_id}/webhooks/{webhook_id}", {
            params: { path: pathOf(organizationId, webhookId) },
          }),
        )
      ).webhook,
  });

export const logOf = (organizationId: string, webhookId: string, filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: ["webhook-log", organizationId, webhookId, filters],
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      readLog(organizationId, webhookId, { ...filters, limit: 25, cursor: pageParam }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** The counts are written every five seconds, and change slowly. */
export const healthOf = (organizationId: string, webhookId: string, by: HealthBy) =>
  queryOptions({
    queryKey: ["webhook-health", organizationId, webhookId, by],
    staleTime: 0,
    refetchInterval: LOOK_AGAIN * 2,
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/webhooks/{webhook_id}/health", {
          params: { path: pathOf(organizationId, webhookId), query: { by } },
        }),
      ),
  });

/** What a replay of a period would send. */
export const replayPreviewOf = (webhook: Webhook, since: string, until: string) =>
  queryOptions({
    queryKey: ["webhook-replay", webhook.id, since, until],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () =>
      (
        await unwrap(
          api.GET("/v1/organizations/{organization_id}/webhooks/{webhook_id}/replay", {
            params: { path: pathOf(webhook.organization_id, webhook.id), query: { since, until } },
          }),
        )
      ).previews,
  });

export const newestOf = (organizationId: string, webhookId: string, limit: number) =>
  queryOptions({
    queryKey: ["webhook-newest", organizationId, webhookId],
    staleTime: 0,
    refetchInterval: LOOK_AGAIN * 4,
    queryFn: async () => (await readLog(organizationId, webhookId, { limit })).logs,
  });

function readLog(
  organizationId: string,
  webhookId: string,
  query: LogFilters & { limit: number; cursor?: string },
) {
  const params = { path: pathOf(organizationId, webhookId), query };
  return unwrap(api.GET("/v1/organizations/{organization_id}/webhooks/{webhook_id}/logs", { params }));
}

export const pathOf = (organizationId: string, webhookId: string) => ({
  organization_id: organizationId,
  webhook_id: webhookId,
});

/** Return whether the signed-in person can manage webhooks. */
export function useMayManage(organizationId: string): boolean {
  const own = useOwnOrganizations().find((each) => each.organization_id === organizationId);
  return own?.role === "admin" || own?.role === "super_admin";
}

/** All queries that a change of a webhook affects. */
export const webhookKeys = [
  ["webhooks"],
  ["webhook"],
  ["webhook-log"],
  ["webhook-newest"],
  ["webhook-health"],
  ["webhook-replay"],
];
