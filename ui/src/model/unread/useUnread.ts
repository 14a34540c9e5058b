import { useQuery } from "@tanstack/react-query";
import { api } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import { unreadKey } from "@/model/queryKeys";

/** The rooms with unread messages. */
export function useUnread(organizationId: string) {
  return useQuery({
    queryKey: unreadKey(organizationId),
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v2/organizations/{organization_id}/unread", {
              params: { path: { organization_id: organizationId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.rooms,
      ),
  });
}
