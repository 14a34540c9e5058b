import { errorForStatus, UnexpectedResponse, Unreachable } from "./errors.js";
import { Http, type Request, targetOf } from "./http.js";
import { sleep } from "./limits.js";
import type {
  CreatingPaths,
  ListPaths,
  MembersOf,
  Method,
  OptionsArgument,
  PathsWith,
  RequestOptions,
  ResponseTo,
} from "./operations.js";
import {
  type CompleteResponse,
  DEFAULT_RETRIES,
  Lost,
  mayBeDone,
  newIdempotencyKey,
  type Outcome,
  type Retries,
  waitBeforeRetry,
} from "./retries.js";
import { listen, type ListenOptions } from "./stream.js";
import type { LiveEvent } from "./types.js";

const LIST_PAGE = 200;

export interface ConnectionOptions {
  /** Seconds until a request without a complete response counts as lost; 30 by default. */
  timeout?: number;
  retries?: Partial<Retries>;
  /** What sends requests; the global `fetch` by default. */
  fetch?: typeof fetch;
}

interface Page {
  next_cursor: string | null;
}

/** The options of any request, without the types of its path. */
interface AnyOptions {
  path?: object;
  query?: object;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The connection that sends all requests. You can change `retries` at any time. */
export class Connection {
  retries: Retries;
  private readonly http: Http;

  constructor(url: string, key: string, options: ConnectionOptions = {}) {
    this.http = new Http(url, key, options.timeout ?? 30, options.fetch);
    this.retries = { ...DEFAULT_RETRIES, ...options.retries };
  }

  /**
   * Send a request and return the decoded response.
   *
   * A GET, PUT or DELETE is retried when the server is unreachable or busy. Any other request is retried only with an
   * `idempotencyKey`, or when the server certainly did not process it. Throws APIError, Unreachable,
   * UnexpectedResponse, and the reason of the `signal` when it is aborted.
   */
  async request<M extends Method, P extends PathsWith<M>>(
    method: M,
    path: P,
    ...[options]: OptionsArgument<M, P>
  ): Promise<ResponseTo<M, P>> {
    return (await this.decoded(method, path, (options ?? {}) as AnyOptions)) as ResponseTo<M, P>;
  }

  /** Create something with a POST. It is created once, however often the request is retried. */
  async create<P extends CreatingPaths>(
    path: P,
    options: RequestOptions<"POST", P>,
  ): Promise<ResponseTo<"POST", P>> {
    const given = options as AnyOptions;
    const idempotencyKey = given.idempotencyKey ?? newIdempotencyKey();
    return (await this.decoded("POST", path, { ...given, idempotencyKey })) as ResponseTo<"POST", P>;
  }

  /** Yield every page of a list. To resume, pass the `next_cursor` of the last page that you processed in the query. */
  async *pages<P extends ListPaths>(
    path: P,
    ...[options]: OptionsArgument<"GET", P>
  ): AsyncGenerator<ResponseTo<"GET", P>, void, undefined> {
    const given = (options ?? {}) as AnyOptions;
    let query: object = { limit: LIST_PAGE, ...given.query };
    for (;;) {
      const page = (await this.decoded("GET", path, { ...given, query })) as Awaited<ResponseTo<"GET", P>> &
        Page;
      yield page;
      if (!page.next_cursor) return;
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /** Yield every item of a list, page by page. `member` is the name of the items in a page. */
  async *iterate<P extends ListPaths, N extends keyof MembersOf<P>>(
    path: P,
    member: N,
    ...options: OptionsArgument<"GET", P>
  ): AsyncGenerator<MembersOf<P>[N], void, undefined> {
    for await (const page of this.pages(path, ...options))
      yield* page[member as keyof typeof page] as never[];
  }

  /** Yield live events of a room, of an organization or of all that the caller has access to; see `Atrium.events`. */
  listen(
    only: { room_id?: string; organization_id?: string },
    options: ListenOptions = {},
  ): AsyncGenerator<LiveEvent, void, undefined> {
    return listen(this.http, () => this.retries, only, options);
  }

  private async decoded(method: Method, path: string, options: AnyOptions): Promise<unknown> {
    const target = targetOf(path, options.path, options.query);
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const { idempotencyKey, signal } = options;
    const response = await this.withRetries({ method, target, body, idempotencyKey, signal });
    if (response.status < 200 || response.status >= 300) {
      throw new UnexpectedResponse(`${this.http.url} redirected ${target}`);
    }
    return read(response.body);
  }

  private async withRetries(request: Request): Promise<CompleteResponse> {
    let isDone = false; // perhaps: a response was lost
    for (let tried = 0; ; tried += 1) {
      const outcome = await this.http.try(request);
      if (isDone && request.method === "DELETE" && !(outcome instanceof Lost) && outcome.status === 404) {
        return { ...outcome, status: 204, body: "" };
      }
      isDone ||= mayBeDone(outcome);
      const wait = waitBeforeRetry(this.retries, request, outcome, tried);
      if (wait === null) return this.successful(outcome);
      await sleep(wait, request.signal);
    }
  }

  private successful(outcome: Outcome): CompleteResponse {
    if (outcome instanceof Lost) throw new Unreachable(this.http.url, outcome.cause);
    if (outcome.status >= 400) throw errorForStatus(outcome.status, outcome.body, outcome.headers);
    return outcome;
  }
}

function read(body: string): unknown {
  try {
    return body === "" ? undefined : JSON.parse(body);
  } catch (error) {
    throw new UnexpectedResponse("the response is not from an Atrium server", { cause: error });
  }
}
