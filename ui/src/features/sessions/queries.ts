import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";

export type Session = Schemas["Session"];

export const ownSessions = queryOptions({
  queryKey: ["own-sessions"],
  queryFn: () =>
    allPages(
      (cursor) => unwrap(api.GET("/v1/me/sessions", { params: { query: { limit: 200, cursor } } })),
      (page) => page.sessions,
    ),
});

export const endSession = (session: Session) =>
  unwrap(
    api.DELETE("/v1/me/sessions/{session_id}", { params: { path: { session_id: session.session_id } } }),
  );

export const endOtherSessions = () =>
  unwrap(api.DELETE("/v1/me/sessions", { params: { query: { keep_current: true } } }));

export const changePassword = (password: string, current: string) =>
  unwrap(
    api.PUT("/v1/me/password", {
      body: { content: { password, ...(current ? { current_password: current } : {}) } },
    }),
  );
