import { ActionIcon } from "@mantine/core";
import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/notices";
import { ignoreClickThatShows } from "@/kit/presses";
import { BlockContent } from "@/model/blocks/BlockContent";
import { withTicked } from "@/model/blocks/content";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { BlockEditor } from "./BlockEditor";
import classes from "./BlockRow.module.css";
import { blocksKey, changeBlock, deleteBlock, type Block } from "./queries";

const DeleteDialog = lazy(() => import("@/kit/DeleteDialog").then((m) => ({ default: m.DeleteDialog })));

interface Props {
  block: Block;
  depth: number;
  siblings: number;
}

/** A block of the page with its actions. */
export function BlockRow({ block, depth, siblings }: Props) {
  const { room, canWrite } = useRoomContext();
  const [isEdited, setEdited] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: blocksKey(room.room_id) });
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      showNotice(messageOf(error), { isError: true });
    }
    await reload();
  };
  const remove = async () => {
    await deleteBlock(block);
    await reload();
  };
  const tick = (index: number) =>
    void act(() => changeBlock(block, { content: withTicked(block.content, index) }));
  const move = (by: number) => void act(() => changeBlock(block, { position: block.position + by }));
  const indent = { marginInlineStart: depth * 28 };
  if (isEdited) {
    return (
      <div className={classes.row} style={indent}>
        <BlockEditor block={block} onDone={() => setEdited(false)} />
      </div>
    );
  }
  return (
    <div className={classes.row} style={indent}>
      <BlockContent
        type={block.type}
        content={block.content}
        organizationId={room.organization_id}
        onTick={canWrite ? tick : undefined}
      />
      {canWrite && (
        <div className={classes.tools} onClickCapture={ignoreClickThatShows}>
          {block.type !== "divider" && (
            <Tool label={texts.blocks.edit} onClick={() => setEdited(true)} icon={<Pencil size={14} />} />
          )}
          {block.position > 0 && (
            <Tool label={texts.blocks.up} onClick={() => move(-1)} icon={<ArrowUp size={14} />} />
          )}
          {depth === 0 && block.position < siblings - 1 && (
            <Tool label={texts.blocks.down} onClick={() => move(1)} icon={<ArrowDown size={14} />} />
          )}
          <Tool label={texts.blocks.delete} onClick={() => setDeleting(true)} icon={<Trash2 size={14} />} />
        </div>
      )}
      {isDeleting && (
        <Suspense>
          <DeleteDialog title={texts.blocks.deleteTitle} onDelete={remove} onClose={() => setDeleting(false)}>
            {texts.blocks.deleteMore}
          </DeleteDialog>
        </Suspense>
      )}
    </div>
  );
}

function Tool({ label, icon, onClick }: { label: string; icon: React.ReactNode; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}
