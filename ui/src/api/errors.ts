import { texts } from "@/texts";
import type { Schemas } from "./client";

type Problem = Schemas["ProblemDetails"];

/** An error response of the server, or that it could not be reached (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: unknown = null,
    readonly retryAfter = 0,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** Whether a retry may succeed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Return the data of a response. Throws ApiError. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", texts.errors.unreachable);
  }
  if (answer.response.ok) return answer.data as T;
  throw apiErrorOf(answer.response, answer.error);
}

export function apiErrorOf(response: Response, error: unknown): ApiError {
  const problem = (typeof error === "object" && error ? error : {}) as Partial<Problem>;
  const title = response.status === 500 ? undefined : problem.title; // "Internal server error" helps no one
  const message = problem.errors?.[0]?.detail ?? problem.detail ?? title;
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  return new ApiError(
    response.status,
    problem.code ?? "",
    message ?? texts.errors.unknown,
    problem,
    retryAfter,
  );
}

/** Return the sentence that the application shows for an error. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : texts.errors.unknown;
}
