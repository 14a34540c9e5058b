import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The public API, with types generated from its OpenAPI document. The session cookie authenticates. */
export const api = createClient<paths>({
  credentials: "same-origin",
  fetch: (request) => earlyResponse(request) ?? fetch(request),
});

declare global {
  interface Window {
    /** What `src/early.ts` has requested: responses by path and query, and who wrote the newest messages. */
    early?: {
      responses: Map<string, Promise<Response>>;
      actors: Promise<Schemas["KnownActor"][]>;
      organizationId?: string;
      roomId?: string;
    };
  }
}

/** Return the response to a request that was sent while the application was loading, once; else undefined. */
export function earlyResponse(request: Request): Promise<Response> | undefined {
  const responses = window.early?.responses;
  if (!responses?.size || request.method !== "GET") return undefined;
  const path = request.url.slice(location.origin.length);
  const response = responses.get(path);
  responses.delete(path);
  return response?.then(
    (each) => (each.ok ? each : fetch(request)),
    () => fetch(request),
  );
}

/** Forget the rest: from the live stream's `hello` on, what is read must be at least as new. */
export function forgetEarly(): void {
  window.early?.responses.clear();
}
