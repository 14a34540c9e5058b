import { TimeLimit } from "./limits.js";
import type { Method, Parameter } from "./operations.js";
import { Lost, type Outcome } from "./retries.js";

/** A request. `target` is the path with the query, `body` is JSON. */
export interface Request {
  readonly method: Method;
  readonly target: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Sends requests to a server with a key, once each. */
export class Http {
  /** The server's URL, without a slash at its end. */
  readonly url: string;
  readonly #key: string;

  constructor(
    url: string,
    key: string,
    private readonly timeout: number,
    private readonly fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
  ) {
    if (!/^https?:/.test(url) || !URL.canParse(url)) throw new TypeError(`${url} is not a URL`);
    if (!/^[!-~]+$/.test(key)) throw new TypeError("the key is empty or has a character that no key has");
    this.url = url.replace(/\/+$/, "");
    this.#key = key;
  }

  /** Send a request; return the response as soon as it starts. A redirect is not followed: the key stays here. */
  async open(request: Request, headers: Headers, signal: AbortSignal): Promise<Response> {
    headers.set("authorization", `Bearer ${this.#key}`);
    const send = this.fetch;
    return await send(this.url + request.target, {
      method: request.method,
      body: request.body ?? null,
      headers,
      signal,
      redirect: "manual",
      credentials: "omit",
      cache: "no-store",
    });
  }

  /** Send a request; return the complete response, or that it was lost. Throws the signal's reason. */
  async try(request: Request): Promise<Outcome> {
    const headers = headersOf(request);
    const limit = new TimeLimit(this.timeout, request.signal);
    try {
      const response = await this.open(request, headers, limit.signal);
      return { status: response.status, headers: response.headers, body: await response.text() };
    } catch (error) {
      request.signal?.throwIfAborted();
      return new Lost(error);
    } finally {
      limit.end();
    }
  }
}

function headersOf(request: Request): Headers {
  const headers = new Headers({ accept: "application/json" });
  if (request.body !== undefined) headers.set("content-type", "application/json");
  if (request.idempotencyKey !== undefined) headers.set("idempotency-key", request.idempotencyKey);
  return headers;
}

/** Return a path with its parameters filled in, and the query without what is null or undefined. */
export function targetOf(path: string, parameters: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(parameters));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, values.get(name)));
  const given = Object.entries(query as Record<string, Parameter>).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${filled}?${search}` : filled;
}

/** Return a value as a segment of a path. Empty, `.` and `..` would lead to another path. */
function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`${name} is ${JSON.stringify(value)}, and no id`);
  }
  return encodeURIComponent(value);
}
