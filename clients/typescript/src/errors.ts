import type { Problem } from "./types.js";

/** The base class of all errors that this client throws. */
export class AtriumError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server cannot be reached, or closed the connection before it responded. It may have processed the request. */
export class Unreachable extends AtriumError {
  constructor(url: string, cause: unknown) {
    super(`${url} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
}

/** The response is not from an Atrium server, or from one that this client does not understand. */
export class UnexpectedResponse extends AtriumError {}

/** The server rejected the request. `problem` has the reason, `retryAfter` the seconds to wait, if the server sent it. */
export class APIError extends AtriumError {
  constructor(
    readonly problem: Problem,
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail || problem.title || `HTTP ${problem.status}`);
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status;
  }

  /** The problem's stable code, such as `room_not_found`. */
  get code(): string {
    return this.problem.code;
  }

  /** The id of the request in the server's log. */
  get requestId(): string {
    return this.problem.request_id;
  }
}

/** 400: part of the request is invalid; `problem.errors` says which. */
export class BadRequest extends APIError {}

/** 401: the key is missing, unknown, expired, rotated or revoked, or its owner is deactivated. */
export class Unauthenticated extends APIError {}

/** 403: the caller lacks the role that the request requires. */
export class Forbidden extends APIError {}

/** 404: the resource does not exist, or the caller has no access to it. */
export class NotFound extends APIError {}

/** 409: the request conflicts with the current state. */
export class Conflict extends APIError {}

/** 413: the request body is too large. */
export class TooLarge extends APIError {}

/** 422: the idempotency key was used before, for a different request. */
export class IdempotencyMismatch extends APIError {}

/** 429: too many requests with this key, even after the retries that the client's `retries` allow. */
export class RateLimited extends APIError {}

/** 5xx: the server failed or is unavailable. */
export class ServerError extends APIError {}

/** A webhook delivery whose signature is invalid. Respond with 401. */
export class InvalidSignature extends AtriumError {}

/** A delivery whose timestamp is too old or in the future: it may be a replay. */
export class StaleDelivery extends InvalidSignature {}

const BY_STATUS: Record<number, typeof APIError> = {
  400: BadRequest,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: TooLarge,
  422: IdempotencyMismatch,
  429: RateLimited,
};

/** Return the error for a response with this status and body. */
export function errorForStatus(status: number, body: string, headers: Headers): APIError {
  const kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : APIError);
  return new kind(readProblem(status, body, headers), retryAfterOf(headers));
}

/** Return the problem document in a body, or one with the start of the body as its detail. */
function readProblem(status: number, body: string, headers: Headers): Problem {
  const requestId = headers.get("x-request-id") ?? "";
  const missing = {
    type: "about:blank",
    title: `HTTP ${status}`,
    detail: "",
    code: "",
    request_id: requestId,
  };
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read === "object" && read !== null && !Array.isArray(read))
      return { ...missing, ...read, status };
  } catch {
    // not from Atrium, but from a proxy in front of it
  }
  return { ...missing, status, detail: body.slice(0, 200) };
}

/** Return the seconds in `Retry-After`, which may be a number or a date, or null if it is missing or invalid. */
export function retryAfterOf(headers: Headers): number | null {
  const value = (headers.get("retry-after") ?? "").trim();
  if (/^\d+$/.test(value)) return Number(value);
  const at = value.endsWith("GMT") ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max((at - Date.now()) / 1000, 0);
}

/** Return why a request failed. Node.js has that in the cause of the error. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message || reasonOf(cause) : String((error as Error).message);
}
