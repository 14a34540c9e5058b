import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";

export type IncomingWebhook = Schemas["IncomingWebhook"];

/** No live event reports their use, so the page polls while it is visible. */
const LOOK_AGAIN = 15_000;

export const incomingOf = (roomId: string) =>
  queryOptions({
    queryKey: ["incoming-webhooks", roomId],
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v2/rooms/{room_id}/incoming-webhooks", {
              params: { path: { room_id: roomId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.incoming_webhooks,
      ),
  });

export const createIncoming = (roomId: string, name: string) =>
  unwrap(
    api.POST("/v2/rooms/{room_id}/incoming-webhooks", {
      params: { path: { room_id: roomId } },
      body: { name },
    }),
  );

export const revokeIncoming = ({ room_id, incoming_webhook_id }: IncomingWebhook) =>
  unwrap(
    api.DELETE("/v2/rooms/{room_id}/incoming-webhooks/{incoming_webhook_id}", {
      params: { path: { room_id, incoming_webhook_id } },
    }),
  );
