import { texts } from "@/texts";
import type { Schemas } from "./client";

type Problem = Schemas["ProblemDetails"];

/** The server's refusal of a request, or that it could not be reached (status 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: unknown = null,
    readonly retryAfter = 0,
  ) {
    super(message);
    this.name = "Refusal";
  }

  /** Whether the same request may do better a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** What the server answered with; its refusals are thrown. */
export async function answered<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refusal(0, "unreachable", texts.errors.unreachable);
  }
  if (answer.response.ok) return answer.data as T;
  throw refusalOf(answer.response, answer.error);
}

export function refusalOf(response: Response, error: unknown): Refusal {
  const problem = (typeof error === "object" && error ? error : {}) as Partial<Problem>;
  const said = problem.errors?.[0]?.detail ?? problem.detail ?? problem.title;
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  return new Refusal(response.status, problem.code ?? "", said ?? texts.errors.unknown, problem, retryAfter);
}

/** What to tell people about an error, in one sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Refusal ? error.message : texts.errors.unknown;
}
