import { Popover, type PopoverProps } from "@mantine/core";
import { use } from "react";
import { Anchor, useOpenerState } from "@/kit/overlay/Anchor";
import { OpenerContext } from "@/kit/overlay/Opener";
import { EmojiPicker } from "./EmojiPicker";

export type PopoverPosition = PopoverProps["position"];

interface Props {
  position: PopoverPosition;
  onPick: (emoji: string) => void;
}

/** The picker of emoji next to its button. */
export function EmojiPopover({ position, onPick }: Props) {
  const { onChange } = use(OpenerContext);
  return (
    <Popover {...useOpenerState()} position={position} trapFocus>
      <Popover.Target>
        <Anchor />
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <EmojiPicker
          onPick={(emoji) => {
            onChange(false);
            onPick(emoji);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
