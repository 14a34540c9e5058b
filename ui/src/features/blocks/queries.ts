import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { unwrap } from "@/api/errors";
import type { BlockType } from "@/model/blocks/content";

type Answered = Schemas["Block"];

export interface Block extends Omit<Answered, "type" | "content"> {
  type: BlockType;
  content: Record<string, unknown>;
}

export const blocksKey = (roomId: string) => ["blocks", roomId] as const;

export const blocksOf = (roomId: string) =>
  queryOptions({
    queryKey: blocksKey(roomId),
    refetchInterval: 30_000, // live events do not report changes of pages
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v2/rooms/{room_id}/blocks", {
              params: { path: { room_id: roomId }, query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.blocks as unknown as Block[],
      ),
  });

export async function createBlock(
  roomId: string,
  type: BlockType,
  content: object,
  position: number,
): Promise<Block> {
  const params = { path: { room_id: roomId } };
  const body = { type, content: content as Record<string, never>, position };
  return (await unwrap(api.POST("/v2/rooms/{room_id}/blocks", { params, body }))) as unknown as Block;
}

/** Throws ApiError `block_changed` if someone else changed the block first. */
export async function changeBlock(
  block: Block,
  change: { content?: object; position?: number },
): Promise<Block> {
  const params = { path: { block_id: block.block_id } };
  const body = { version: block.version, ...change } as { version: number; content?: Record<string, never> };
  return (await unwrap(api.PATCH("/v2/blocks/{block_id}", { params, body }))) as unknown as Block;
}

export function deleteBlock(block: Block): Promise<unknown> {
  return unwrap(api.DELETE("/v2/blocks/{block_id}", { params: { path: { block_id: block.block_id } } }));
}
