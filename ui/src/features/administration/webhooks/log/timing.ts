import type { Attempt } from "../queries";

export const STAGES = ["resolve_ms", "connect_ms", "tls_ms", "wait_ms", "read_ms"] as const;

export type Stage = (typeof STAGES)[number];

export interface Bar {
  stage: Stage;
  ms: number;
  /** Where it begins and how long it is, in percent of the attempt. */
  start: number;
  length: number;
}

/** Return the stages of an attempt as bars that follow each other. */
export function barsOf(timing: NonNullable<Attempt["timing"]>): Bar[] {
  const known = STAGES.flatMap((stage) => {
    const ms = timing[stage];
    return ms === undefined ? [] : [{ stage, ms }];
  });
  const total = Math.max(
    1,
    known.reduce((sum, { ms }) => sum + ms, 0),
  );
  let before = 0;
  return known.map(({ stage, ms }) => {
    const bar = { stage, ms, start: (before / total) * 100, length: (ms / total) * 100 };
    before += ms;
    return bar;
  });
}
