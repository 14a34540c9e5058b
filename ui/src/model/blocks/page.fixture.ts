import type { Schemas } from "@/api/client";

type Paragraph = Schemas["ParagraphBlock"];

/** A paragraph of a page, named by its id. */
export function aBlock(
  id: string,
  position: number,
  parentId: string | null = null,
  more: Partial<Paragraph> = {},
): Paragraph {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    block_id: id,
    room_id: "room",
    parent_block_id: parentId,
    position,
    type: "paragraph",
    content: { text: id },
    version: 1,
    created_by: "ada",
    created_at: at,
    updated_by: "ada",
    updated_at: at,
    ...more,
  };
}

/** a, with a1 (with a11) and a2 under it; b; c. */
export const PAGE = [
  aBlock("a", 0),
  aBlock("a1", 0, "a"),
  aBlock("a11", 0, "a1"),
  aBlock("a2", 1, "a"),
  aBlock("b", 1),
  aBlock("c", 2),
];
