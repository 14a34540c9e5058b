import { expect, test } from "vitest";
import { doneSteps } from "./steps";

const NOTHING = { has_invited: false, has_rooms: false, has_imported: false, has_webhook: false };

test("a step is done when its fact holds", () => {
  expect([...doneSteps(NOTHING, false)]).toEqual([]);
  expect([...doneSteps({ ...NOTHING, has_rooms: true, has_webhook: true }, false)]).toEqual([
    "rooms",
    "webhook",
  ]);
  expect([...doneSteps({ ...NOTHING, has_invited: true, has_imported: true }, true)]).toEqual([
    "invite",
    "import",
    "notifications",
  ]);
});
