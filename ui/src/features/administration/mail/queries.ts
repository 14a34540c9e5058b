import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

export type Mail = Schemas["Mail"];

export const mailsOf = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: ["administration", organizationId, "mails"],
    initialPageParam: undefined as string | undefined,
    staleTime: 0,
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/mails", {
          params: { path: { organization_id: organizationId }, query: { limit: 50, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** Return an email with its text, cached because each reading creates an audit entry. */
export const mailOf = (organizationId: string, mailId: string) =>
  queryOptions({
    queryKey: ["mail", mailId],
    staleTime: Infinity,
    queryFn: () =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/mails/{mail_id}", {
          params: { path: { organization_id: organizationId, mail_id: mailId } },
        }),
      ),
  });
