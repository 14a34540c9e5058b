import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { answered } from "@/api/refusal";

export type Session = Schemas["Session"];

export const ownSessions = queryOptions({
  queryKey: ["own-sessions"],
  queryFn: () =>
    allPages(
      (cursor) => answered(api.GET("/v1/me/sessions", { params: { query: { limit: 200, cursor } } })),
      (page) => page.sessions,
    ),
});

export const endSession = (session: Session) =>
  answered(
    api.DELETE("/v1/me/sessions/{session_id}", { params: { path: { session_id: session.session_id } } }),
  );

export const endOtherSessions = () =>
  answered(api.DELETE("/v1/me/sessions", { params: { query: { keep_current: true } } }));

export const changePassword = (password: string, current: string) =>
  answered(
    api.PUT("/v1/me/password", {
      body: { content: { password, ...(current ? { current_password: current } : {}) } },
    }),
  );
