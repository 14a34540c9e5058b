import { APIError, retryAfterOf, Unreachable } from "./errors.js";

/**
 * Whether and when requests are retried: up to `attempts` retries per request. All times are in seconds.
 *
 * The waits double from `firstWait` to `maxWait`. Each is shortened by up to half at random, so that many clients do
 * not retry simultaneously. The client waits as long as a `Retry-After` says, unless that is longer than
 * `maxRetryAfter`: then it throws the error, with its `retryAfter`. If `retryUnreachable` is false, the client retries
 * when the server is busy, but throws Unreachable immediately when the server cannot be reached.
 */
export interface Retries {
  readonly attempts: number;
  readonly firstWait: number;
  readonly maxWait: number;
  readonly maxRetryAfter: number;
  readonly retryUnreachable: boolean;
}

export const DEFAULT_RETRIES: Retries = {
  attempts: 10,
  firstWait: 0.5,
  maxWait: 30,
  maxRetryAfter: 120,
  retryUnreachable: true,
};

export const NO_RETRIES: Retries = { ...DEFAULT_RETRIES, attempts: 0 };

/** A response that was read completely. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** No response: the connection failed, broke or was silent too long. */
export class Lost {
  constructor(readonly cause: unknown) {}

  /** Whether the request certainly did not reach the server. Browsers do not say. */
  get wasNotSent(): boolean {
    const code = codeOf(this.cause) ?? codeOf((this.cause as { cause?: unknown }).cause);
    return code !== null && NOT_SENT.has(code);
  }
}

export type Outcome = CompleteResponse | Lost;

const NOT_PROCESSED = new Set([429, 503]); // rejected before the server did anything
const TEMPORARY = new Set([429, 502, 503, 504]);
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const IDEMPOTENT_METHODS = new Set(["GET", "PUT", "DELETE"]);

/** Return the seconds to wait before the next retry, or null to give up. `tried` counts the retries so far. */
export function waitBeforeRetry(
  policy: Retries,
  request: { method: string; idempotencyKey?: string },
  outcome: Outcome,
  tried: number,
): number | null {
  const isIdempotent = IDEMPOTENT_METHODS.has(request.method) || request.idempotencyKey !== undefined;
  if (tried >= policy.attempts) return null;
  if (outcome instanceof Lost) {
    const mayRepeat = policy.retryUnreachable && (isIdempotent || outcome.wasNotSent);
    return mayRepeat ? backoff(policy, tried) : null;
  }
  if (!(isIdempotent ? TEMPORARY : NOT_PROCESSED).has(outcome.status)) return null;
  return waitOf(policy, retryAfterOf(outcome.headers), tried);
}

/** Return the seconds to wait before connecting to live events again after an error, or null to give up. */
export function waitBeforeReconnect(policy: Retries, error: unknown, tried: number): number | null {
  if (tried >= policy.attempts) return null;
  if (error instanceof Unreachable) return policy.retryUnreachable ? backoff(policy, tried) : null;
  if (!(error instanceof APIError) || !TEMPORARY.has(error.status)) return null;
  return waitOf(policy, error.retryAfter, tried);
}

/** Return whether the server may have carried out the request, although its response did not arrive. */
export function mayBeDone(outcome: Outcome): boolean {
  return outcome instanceof Lost ? !outcome.wasNotSent : outcome.status === 502 || outcome.status === 504;
}

function waitOf(policy: Retries, seconds: number | null, tried: number): number | null {
  if (seconds === null) return backoff(policy, tried);
  return seconds <= policy.maxRetryAfter ? seconds : null;
}

/** Return the seconds to wait when the server does not say how long. */
export function backoff(policy: Retries, tried: number): number {
  const longest = Math.min(policy.firstWait * 2 ** Math.min(tried, 30), policy.maxWait);
  return longest * (0.5 + Math.random() / 2);
}

/** Return a new unique key. `crypto.randomUUID` would require https, also for a server in your own network. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function codeOf(error: unknown): string | null {
  const code: unknown = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : null;
}
