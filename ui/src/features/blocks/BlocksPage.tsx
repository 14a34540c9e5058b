import { useQuery } from "@tanstack/react-query";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/Loading";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { AddBlock } from "./AddBlock";
import { BlockRow } from "./BlockRow";
import classes from "./BlocksPage.module.css";
import { blocksOf } from "./queries";

/** The page of a room, made of blocks. */
export function BlocksPage() {
  const { room, canWrite } = useRoomContext();
  const { data: blocks, error } = useQuery(blocksOf(room.room_id));
  if (error && !blocks)
    return (
      <p role="alert" className={classes.nothing}>
        {messageOf(error)}
      </p>
    );
  if (!blocks) return <Loading />;
  const top = blocks.filter((each) => each.parent_block_id === null);
  return (
    <div className={classes.scroller}>
      <div className={classes.page}>
        {blocks.length === 0 && <p className={classes.nothing}>{texts.blocks.none}</p>}
        {blocks.map((block) => (
          <BlockRow
            key={block.block_id}
            block={block}
            depth={depthOf(block.block_id, blocks)}
            siblings={top.length}
          />
        ))}
        {canWrite && <AddBlock roomId={room.room_id} position={top.length} />}
      </div>
    </div>
  );
}

function depthOf(blockId: string, blocks: { block_id: string; parent_block_id: string | null }[]): number {
  const parents = new Map(blocks.map((each) => [each.block_id, each.parent_block_id]));
  let depth = 0;
  for (let at = parents.get(blockId); at; at = parents.get(at)) depth += 1;
  return depth;
}
