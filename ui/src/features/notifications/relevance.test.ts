import { describe, expect, it } from "vitest";
import { aMessage } from "@/model/messages/room.fixture";
import { summaryOf, shouldNotify } from "./relevance";

const away = { personId: "me", isLooking: false };
const plain = aMessage(1);
const toMe = aMessage(2, 0, { mentions: ["me"] });

describe("a notification of a message is shown", () => {
  it("by what was chosen", () => {
    expect(shouldNotify(plain, "all", away)).toBe(true);
    expect(shouldNotify(plain, "mentions", away)).toBe(false);
    expect(shouldNotify(toMe, "mentions", away)).toBe(true);
    expect(shouldNotify(toMe, "off", away)).toBe(false);
  });

  it("not to its author or a person who sees it", () => {
    expect(shouldNotify(aMessage(3, 0, { user_id: "me" }), "all", away)).toBe(false);
    expect(shouldNotify(toMe, "all", { ...away, isLooking: true })).toBe(false);
    expect(shouldNotify(aMessage(4, 0, { status: "DELETED" }), "all", away)).toBe(false);
  });
});

it("is one line of plain text", () => {
  expect(summaryOf("## Plan\n\n- **now** [here](https://example.org)\n\n```js\nrun()\n```")).toBe(
    "Plan now here run()",
  );
  expect(summaryOf("<b>&amp;</b>")).toBe("<b>&amp;</b>");
  expect([...summaryOf("🎉".repeat(500))]).toHaveLength(160);
});
