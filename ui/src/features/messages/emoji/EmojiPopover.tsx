import { Popover, type PopoverProps } from "@mantine/core";
import { useEffect, useImperativeHandle, useState, type Ref } from "react";
import { EmojiPicker } from "./EmojiPicker";

export type PopoverPosition = PopoverProps["position"];

interface Props {
  button: HTMLElement;
  position: PopoverPosition;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** The picker of emoji, open next to its button. */
export function EmojiPopover({ button, position, onPick, onClose }: Props) {
  const [focused] = useState(() => document.activeElement);
  useEffect(() => () => void setTimeout(returnFocus, 0, focused), [focused]);
  return (
    <Popover opened onChange={onClose} position={position} trapFocus>
      <Popover.Target>
        <Anchor element={button} />
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <EmojiPicker
          onPick={(emoji) => {
            onClose();
            onPick(emoji);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Stands for an element that is rendered elsewhere. */
function Anchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}

/** Focus what had the focus before, unless something else has it by now. */
function returnFocus(before: Element | null): void {
  if (document.activeElement === document.body && before instanceof HTMLElement)
    before.focus({ preventScroll: true });
}
