import createClient from "openapi-fetch";
import { earlyResponse } from "./early";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The public API, with types generated from its OpenAPI document. The session cookie authenticates. */
export const api = createClient<paths>({
  credentials: "same-origin",
  fetch: (request) => earlyResponse(request) ?? fetch(request),
});
