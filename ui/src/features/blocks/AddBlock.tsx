import { Button, Menu } from "@mantine/core";
import { Plus } from "lucide-react";
import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/notices";
import { TYPES, withText, type BlockType } from "@/model/blocks/content";
import { texts } from "@/texts";
import { blocksKey, createBlock } from "./queries";

interface Props {
  roomId: string;
  position: number;
}

/** Adds a block at the end of the page, to be edited in place. */
export function AddBlock({ roomId, position }: Props) {
  const add = async (type: BlockType) => {
    try {
      await createBlock(roomId, type, withText(type, {}, texts.blocks.first[type]), position);
      await queryClient.invalidateQueries({ queryKey: blocksKey(roomId) });
    } catch (error) {
      showNotice(messageOf(error), { isError: true });
    }
  };
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="compact-md" mt="md" leftSection={<Plus size={15} aria-hidden />}>
          {texts.blocks.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TYPES.map((type) => (
          <Menu.Item key={type} onClick={() => void add(type)}>
            {texts.blocks.types[type]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
