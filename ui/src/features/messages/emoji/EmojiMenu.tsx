import { Popover, type PopoverProps } from "@mantine/core";
import { lazy, Suspense, type ReactElement } from "react";
import { useTouch } from "@/kit/touch";
import { texts } from "@/texts";
import { EmojiPicker } from "./EmojiPicker";

const Sheet = lazy(() => import("@/kit/Sheet").then((m) => ({ default: m.Sheet })));

interface Props {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  onPick: (emoji: string) => void;
  position: PopoverProps["position"];
  /** The button that opens it. */
  children: ReactElement;
}

/** The picker of emoji: next to its button, or as a sheet on touch screens. */
export function EmojiMenu({ isOpen, onChange, onPick, position, children }: Props) {
  const isTouch = useTouch();
  if (isTouch) {
    return (
      <>
        {children}
        {isOpen && (
          <Suspense>
            <Sheet title={texts.emoji.all} isTitleHidden onClosed={() => onChange(false)}>
              {(close) => <EmojiPicker onPick={(emoji) => close(() => onPick(emoji))} />}
            </Sheet>
          </Suspense>
        )}
      </>
    );
  }
  return (
    <Popover opened={isOpen} onChange={onChange} position={position} trapFocus returnFocus>
      <Popover.Target>{children}</Popover.Target>
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
