import type { BlockType, Content } from "@/model/blocks/content";
import type { Block } from "@/model/blocks/page";
import { depthsOf, type Place } from "@/model/blocks/tree";
import type { Kind } from "./typing";

export interface Upload {
  name: string;
  size: number;
  sent: number;
  problem: string;
}

/** A block that is being written, or whose changes are not saved yet. */
export interface Draft {
  /** Of its row, and the same before and after the block is saved for the first time. */
  key: string;
  /** The block as the server has it; null before it is saved for the first time. */
  block: Block | null;
  /** For a new block: the key of the row above it, or null at the beginning of the page. */
  after: string | null;
  type: BlockType;
  content: Content;
  /** What the block said when it was opened; null for a new one. */
  before: Kind | null;
  /** What was last saved or read. */
  saved: { type: BlockType; content: Content } | null;
  /** The version of someone else that the changes conflict with. */
  theirs: Block | null;
  problem: string;
  upload: Upload | null;
}

export interface Row {
  key: string;
  block: Block | null;
  draft: Draft | null;
  depth: number;
}

/** Return the rows of a page: its blocks in reading order, and between them the new ones that are not saved yet. */
export function rowsOf(page: Block[], drafts: Draft[], keyOf: (blockId: string) => string): Row[] {
  const depths = depthsOf(page);
  const byKey = new Map(drafts.map((each) => [each.key, each]));
  const rows: Row[] = page.map((block) => {
    const key = keyOf(block.block_id);
    return { key, block, draft: byKey.get(key) ?? null, depth: depths.get(block.block_id) ?? 0 };
  });
  const shown = new Set(rows.map((each) => each.key));
  for (const draft of drafts) if (!shown.has(draft.key)) insert(rows, draft);
  return rows;
}

function insert(rows: Row[], draft: Draft): void {
  const above = draft.after === null ? -1 : rows.findIndex((each) => each.key === draft.after);
  const isLost = draft.after !== null && above < 0;
  const depth = rows[above]?.depth ?? 0;
  let at = isLost ? rows.length : above + 1;
  if (above >= 0) while ((rows[at]?.depth ?? 0) > depth) at += 1;
  rows.splice(at, 0, { key: draft.key, block: null, draft, depth });
}

/** Return the place of a new block under the row with the key `after`: behind that block, or behind what it follows itself. */
export function placeAfter(rows: Row[], after: string | null): Place {
  let key = after;
  while (key !== null) {
    const above = rows.find((each) => each.key === key);
    if (!above) return { parentId: null, position: rows.filter((each) => each.depth === 0).length };
    if (above.block) return { parentId: above.block.parent_block_id, position: above.block.position + 1 };
    key = above.draft?.after ?? null;
  }
  return { parentId: null, position: 0 };
}

/**
 * Return the place of a block that is dropped before the row at `index`, or at the end of the page; null under
 * itself.
 */
export function placeBefore(rows: Row[], index: number, moved: Block): Place | null {
  const row = rows[index];
  const isUnder = (block: Block | null | undefined): boolean =>
    !!block &&
    (block.block_id === moved.block_id ||
      isUnder(rows.find((each) => each.block?.block_id === block.parent_block_id)?.block));
  if (row?.block && row.block.block_id !== moved.block_id && isUnder(row.block)) return null;
  const target = row?.block ?? null;
  const parentId = target?.parent_block_id ?? null;
  const siblings = rows.filter((each) => each.block?.parent_block_id === parentId).length;
  const wanted = target ? target.position : siblings;
  const isBelow = parentId === moved.parent_block_id && moved.position < wanted;
  return { parentId, position: isBelow ? wanted - 1 : wanted };
}
