import { describe, expect, it } from "vitest";
import type { Block } from "./page";
import { aBlock, PAGE } from "./page.fixture";
import { depthsOf, moveBlock, withBlock, withoutBlock } from "./tree";

const outline = (page: Block[] | null) => page?.map((each) => `${each.block_id}${each.position}`).join(" ");

describe("the events of a page", () => {
  it("add a block among its siblings", () => {
    expect(outline(withBlock(PAGE, aBlock("new", 1)))).toBe("a0 a10 a110 a21 new1 b2 c3");
    expect(outline(withBlock(PAGE, aBlock("new", 0, "a")))).toBe("a0 new0 a11 a110 a22 b1 c2");
    expect(outline(withBlock([], aBlock("new", 0)))).toBe("new0");
  });

  it("move a block with everything under it", () => {
    expect(outline(withBlock(PAGE, aBlock("a1", 2, null, { version: 2 })))).toBe("a0 a20 b1 a12 a110 c3");
  });

  it("change nothing that is newer already", () => {
    expect(withBlock(PAGE, aBlock("b", 0))).toBe(PAGE);
  });

  it("that do not fit refetch the page", () => {
    expect(withBlock(PAGE, aBlock("new", 0, "unknown"))).toBeNull();
  });

  it("remove a block and everything under it", () => {
    expect(outline(withoutBlock(PAGE, "a"))).toBe("b0 c1");
    expect(outline(withoutBlock(PAGE, "a1"))).toBe("a0 a20 b1 c2");
    expect(outline(withoutBlock(PAGE, "unknown"))).toBe(outline(PAGE));
  });
});

it("a block is not put under itself", () => {
  expect(moveBlock(PAGE, aBlock("a", 0), { parentId: "a11", position: 0 })).toBeNull();
});

it("blocks are as deep as they have parents", () => {
  expect([...depthsOf(PAGE).values()]).toEqual([0, 1, 2, 1, 0, 0]);
});
