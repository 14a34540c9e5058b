import { exactTime } from "@/kit/text/times";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import { readable } from "./format";
import type { Attempt } from "../queries";
import { STAGES } from "./timing";

/** A line of a comparison; null where one side has nothing. */
export interface Pair {
  left: string | null;
  right: string | null;
}

export interface NamedPair extends Pair {
  name: string;
}

/** Return whether both sides differ, unless they always do: each attempt has its own time and signature. */
export const differs = ({ name, left, right }: Pair & { name?: string }): boolean =>
  left !== right && !EXPECTED.has(name ?? "");

const labels = workbench.compare.rows;
const EXPECTED = new Set([labels.attempted, "webhook-timestamp", "webhook-signature"]);

/** Compare how two attempts ended and how long they took. */
export function compareResults(left: Attempt, right: Attempt): NamedPair[] {
  const both = (name: string, of: (attempt: Attempt) => string | null): NamedPair => ({
    name,
    left: of(left),
    right: of(right),
  });
  return [
    both(labels.status, (each) => each.response_code?.toString() ?? webhooks.log.noAnswer),
    both(labels.error, (each) => each.error),
    both(labels.attempted, (each) => exactTime(each.attempted_at)),
    both(labels.duration, (each) => workbench.milliseconds(each.duration_ms)),
    both(labels.connection, ({ timing }) =>
      timing === undefined ? null : timing.reused ? workbench.timing.reused : labels.new,
    ),
    ...STAGES.map((stage) =>
      both(workbench.timing.stages[stage], ({ timing }) =>
        timing?.[stage] === undefined ? null : workbench.milliseconds(timing[stage]),
      ),
    ),
  ].filter(({ left: one, right: other }) => one !== null || other !== null);
}

/** Compare the headers that two attempts sent. */
export function compareHeaders(left: Attempt, right: Attempt): NamedPair[] {
  const names = new Set([...Object.keys(left.request_headers), ...Object.keys(right.request_headers)]);
  return [...names].map((name) => ({
    name,
    left: left.request_headers[name] ?? null,
    right: right.request_headers[name] ?? null,
  }));
}

/** Compare two responses line by line; JSON is indented first. */
export const compareResponses = (left: Attempt, right: Attempt): Pair[] =>
  align(linesOf(left.response_excerpt), linesOf(right.response_excerpt));

const linesOf = (text: string): string[] => (text === "" ? [] : readable(text).split("\n"));

const MOST_CELLS = 1_000_000;

/** Put lines that both sides have next to each other, as many as possible (longest common subsequence). */
export function align(left: string[], right: string[]): Pair[] {
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start++;
  const same = left.slice(0, start).map((line) => ({ left: line, right: line }));
  const [one, other] = [left.slice(start), right.slice(start)];
  const matches = one.length * other.length > MOST_CELLS ? [] : common(one, other);
  const pairs: Pair[] = [];
  let [atOne, atOther] = [0, 0];
  for (const [nr, otherNr] of [...matches, [one.length, other.length] as const]) {
    const height = Math.max(nr - atOne, otherNr - atOther);
    for (let row = 0; row < height; row++) {
      pairs.push({
        left: atOne + row < nr ? (one[atOne + row] ?? null) : null,
        right: atOther + row < otherNr ? (other[atOther + row] ?? null) : null,
      });
    }
    if (nr < one.length) pairs.push({ left: one[nr] ?? null, right: other[otherNr] ?? null });
    [atOne, atOther] = [nr + 1, otherNr + 1];
  }
  return [...same, ...pairs];
}

/** Return the numbers of the lines that both sides have, in order. */
function common(left: string[], right: string[]): (readonly [number, number])[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (one: number, other: number): number => lengths[one * width + other] ?? 0;
  for (let one = left.length - 1; one >= 0; one--)
    for (let other = right.length - 1; other >= 0; other--)
      lengths[one * width + other] =
        left[one] === right[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const found: (readonly [number, number])[] = [];
  for (let one = 0, other = 0; one < left.length && other < right.length;) {
    if (left[one] === right[other]) found.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one++;
    else other++;
  }
  return found;
}
