import type { Schemas } from "@/api/client";

export const STEPS = ["invite", "rooms", "import", "webhook", "notifications"] as const;
export type Step = (typeof STEPS)[number];

/** Return the completed steps, derived from server and browser state, not from clicks. */
export function doneSteps(facts: Schemas["FirstSteps"], isNotified: boolean): ReadonlySet<Step> {
  const done: Record<Step, boolean> = {
    invite: facts.has_invited,
    rooms: facts.has_rooms,
    import: facts.has_imported,
    webhook: facts.has_webhook,
    notifications: isNotified,
  };
  return new Set(STEPS.filter((each) => done[each]));
}
