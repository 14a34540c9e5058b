import type { Block } from "./page";

/** Where a block is: its parent, null at the top of the page, and its position among the children of that. */
export interface Place {
  parentId: string | null;
  position: number;
}

/** Return the page, in reading order, with a new block or a newer version of one; null if its parent is not on the page. */
export function withBlock(page: Block[], block: Block): Block[] | null {
  const known = page.find((each) => each.block_id === block.block_id);
  if (known && known.version >= block.version) return page;
  return moveBlock(page, block, { parentId: block.parent_block_id, position: block.position });
}

/** Return the page with a block at another place; null if the parent is not on the page, or under the block. */
export function moveBlock(page: Block[], block: Block, { parentId, position }: Place): Block[] | null {
  if (parentId !== null && !page.some((each) => each.block_id === parentId)) return null;
  const children = childrenOf(page.filter((each) => each.block_id !== block.block_id));
  const siblings = children.get(parentId) ?? [];
  children.set(parentId, siblings.toSpliced(position, 0, { ...block, parent_block_id: parentId }));
  const next = inOrder(children, null);
  return next.some((each) => each.block_id === block.block_id) ? next : null;
}

/** Return the page without a block and everything under it. */
export function withoutBlock(page: Block[], blockId: string): Block[] {
  return inOrder(childrenOf(page.filter((each) => each.block_id !== blockId)), null);
}

/** Return how deeply each block of a page is nested, by id. */
export function depthsOf(page: Block[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { block_id, parent_block_id } of page) {
    depths.set(block_id, parent_block_id === null ? 0 : (depths.get(parent_block_id) ?? 0) + 1);
  }
  return depths;
}

function childrenOf(page: Block[]): Map<string | null, Block[]> {
  const children = new Map<string | null, Block[]>();
  for (const block of page) {
    children.set(block.parent_block_id, [...(children.get(block.parent_block_id) ?? []), block]);
  }
  return children;
}

function inOrder(children: Map<string | null, Block[]>, parentId: string | null): Block[] {
  return (children.get(parentId) ?? []).flatMap((block, position) => [
    block.position === position ? block : { ...block, position },
    ...inOrder(children, block.block_id),
  ]);
}
