import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { allPages } from "@/api/pages";
import { queryClient } from "@/api/queryClient";
import { blocksKey } from "@/model/queryKeys";
import type { BlockType, Content } from "./content";
import { withBlock, withoutBlock, type Place } from "./tree";

export type Block = Schemas["Block"];

export interface BlockChange {
  type?: BlockType;
  content?: Content;
  place?: Place;
}

/** All blocks of a room's page, in reading order. */
export const blocksOf = (roomId: string) =>
  queryOptions({
    queryKey: blocksKey(roomId),
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v2/rooms/{room_id}/blocks", {
              params: { path: { room_id: roomId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.blocks,
      ),
  });

/** Create a block. A repetition with the same key returns the block of the first request. */
export async function createBlock(
  roomId: string,
  block: { type: BlockType; content: Content; place: Place },
  key: string,
): Promise<Block> {
  const params = { path: { room_id: roomId }, header: { "Idempotency-Key": key } };
  const { type, content, place } = block;
  const body = { type, content: content as Record<string, never>, ...inBody(place) };
  return unwrap(api.POST("/v2/rooms/{room_id}/blocks", { params, body }));
}

/** Throws ApiError `block_changed` if someone else changed the block first. */
export async function changeBlock(block: Block, { type, content, place }: BlockChange): Promise<Block> {
  const params = { path: { block_id: block.block_id } };
  const body = {
    version: block.version,
    ...(type && { type }),
    ...(content && { content: content as Record<string, never> }),
    ...(place && inBody(place)),
  };
  return unwrap(api.PATCH("/v2/blocks/{block_id}", { params, body }));
}

export async function deleteBlock(block: Block): Promise<void> {
  await unwrap(api.DELETE("/v2/blocks/{block_id}", { params: { path: { block_id: block.block_id } } }));
}

/** Put a deleted block back, with everything that was under it. */
export async function restoreBlock({ room_id, block_id }: Block): Promise<Block> {
  const params = { path: { room_id, deleted_block_id: block_id } };
  return unwrap(api.POST("/v2/rooms/{room_id}/deleted-blocks/{deleted_block_id}", { params }));
}

const inBody = ({ parentId, position }: Place) => ({ parent_block_id: parentId, position });

/** Show a block of an event or a response on its page, if the page is loaded. */
export function publishBlock(block: Block): void {
  updatePage(block.room_id, (page) => withBlock(page, block));
}

/** Remove a block and everything under it from its page, if the page is loaded. */
export function publishDeletion({ room_id, block_id }: Pick<Block, "room_id" | "block_id">): void {
  updatePage(room_id, (page) => withoutBlock(page, block_id));
}

/** Change a page that is loaded. A page that is loading, or that the change does not fit, is read again. */
export function updatePage(roomId: string, change: (page: Block[]) => Block[] | null): void {
  const queryKey = blocksKey(roomId);
  const state = queryClient.getQueryState<Block[]>(queryKey);
  if (!state) return;
  const next = state.data && change(state.data);
  if (next) queryClient.setQueryData(queryKey, next);
  if (!next || state.fetchStatus === "fetching") readAgain(roomId);
}

/** Read a page again. While it is read for the first time, wait for that. */
export function readAgain(roomId: string): void {
  const query = queryClient.getQueryCache().find({ queryKey: blocksKey(roomId) });
  const isFirst = query?.state.data === undefined && query?.state.fetchStatus === "fetching";
  void Promise.resolve(isFirst ? query.promise : null).then(
    () => queryClient.invalidateQueries({ queryKey: blocksKey(roomId) }),
    () => undefined,
  );
}
