import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The whole public API, typed from the server's own document. The browser's session cookie says who calls. */
export const api = createClient<paths>({ credentials: "same-origin" });
