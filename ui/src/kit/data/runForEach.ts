import { ApiError, messageOf } from "@/api/errors";

export interface Outcome<Item, Result> {
  item: Item;
  result?: Result;
  /** The error message, if it failed. */
  reason?: string;
}

const MAX_RETRIES = 3;

/** Run a change for each item, one after the other. An error does not stop the others. */
export async function runForEach<Item, Result>(
  items: readonly Item[],
  change: (item: Item) => Promise<Result>,
  onProgress: (done: number) => void = () => undefined,
): Promise<Outcome<Item, Result>[]> {
  const outcomes: Outcome<Item, Result>[] = [];
  for (const item of items) {
    onProgress(outcomes.length);
    try {
      outcomes.push({ item, result: await withRetries(() => change(item)) });
    } catch (error) {
      outcomes.push({ item, reason: messageOf(error) });
    }
  }
  return outcomes;
}

/** Retry after the time that the rate limit gives, a few times. */
async function withRetries<Result>(
  change: () => Promise<Result>,
  retriesLeft = MAX_RETRIES,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429 && retriesLeft > 0)) throw error;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfter) * 1000));
    return withRetries(change, retriesLeft - 1);
  }
}

/** Return the items that failed, each with the reason. */
export const failuresOf = <Item>(
  outcomes: readonly Outcome<Item, unknown>[],
): { item: Item; reason: string }[] =>
  outcomes.flatMap(({ item, reason }) => (reason === undefined ? [] : [{ item, reason }]));
