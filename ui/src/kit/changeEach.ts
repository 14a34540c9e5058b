import { ApiError, messageOf } from "@/api/errors";

export interface Outcome<Item, Result> {
  item: Item;
  result?: Result;
  /** Why it was refused, for people. */
  reason?: string;
}

const WAITS = 3;

/** Run a change for each item, one after the other; a refused one doesn't stop the others. */
export async function changeEach<Item, Result>(
  items: readonly Item[],
  change: (item: Item) => Promise<Result>,
  onProgress: (done: number) => void = () => undefined,
): Promise<Outcome<Item, Result>[]> {
  const outcomes: Outcome<Item, Result>[] = [];
  for (const item of items) {
    onProgress(outcomes.length);
    try {
      outcomes.push({ item, result: await patiently(() => change(item)) });
    } catch (error) {
      outcomes.push({ item, reason: messageOf(error) });
    }
  }
  return outcomes;
}

/** Wait as long as the rate limit says, a few times. */
async function patiently<Result>(change: () => Promise<Result>, left = WAITS): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429 && left > 0)) throw error;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfter) * 1000));
    return patiently(change, left - 1);
  }
}

/** The items that were refused, with the reason of each. */
export const refusedOf = <Item>(
  outcomes: readonly Outcome<Item, unknown>[],
): { item: Item; reason: string }[] =>
  outcomes.flatMap(({ item, reason }) => (reason === undefined ? [] : [{ item, reason }]));
