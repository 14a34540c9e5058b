import { describe, expect, it } from "vitest";
import { aMessage } from "@/model/messages/room.fixture";
import { inShort, isWorthIt } from "./relevance";

const away = { personId: "me", isLooking: false };
const plain = aMessage(1);
const toMe = aMessage(2, 0, { mentions: ["me"] });

describe("a message is told of", () => {
  it("by what was chosen", () => {
    expect(isWorthIt(plain, "all", away)).toBe(true);
    expect(isWorthIt(plain, "mentions", away)).toBe(false);
    expect(isWorthIt(toMe, "mentions", away)).toBe(true);
    expect(isWorthIt(toMe, "off", away)).toBe(false);
  });

  it("not to whoever wrote it or sees it anyway", () => {
    expect(isWorthIt(aMessage(3, 0, { user_id: "me" }), "all", away)).toBe(false);
    expect(isWorthIt(toMe, "all", { ...away, isLooking: true })).toBe(false);
    expect(isWorthIt(aMessage(4, 0, { status: "DELETED" }), "all", away)).toBe(false);
  });
});

it("is told as one line of plain text", () => {
  expect(inShort("## Plan\n\n- **now** [here](https://example.org)\n\n```js\nrun()\n```")).toBe(
    "Plan now here run()",
  );
  expect(inShort("<b>&amp;</b>")).toBe("<b>&amp;</b>");
  expect([...inShort("🎉".repeat(500))]).toHaveLength(160);
});
