import { cloneElement, lazy, Suspense, useState, type ReactElement, type Ref } from "react";
import { useTouch } from "@/kit/touch";
import { texts } from "@/texts";
import { EmojiPicker } from "./EmojiPicker";
import type { PopoverPosition } from "./EmojiPopover";

// A room shows without them, and what they are made of is large.
const EmojiPopover = lazy(() => import("./EmojiPopover").then((m) => ({ default: m.EmojiPopover })));
const Sheet = lazy(() => import("@/kit/Sheet").then((m) => ({ default: m.Sheet })));

interface Props {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  onPick: (emoji: string) => void;
  position: PopoverPosition;
  /** The button that opens it. */
  children: ReactElement<React.AriaAttributes & { ref?: Ref<HTMLElement> }>;
}

/** The picker of emoji: next to its button, or as a sheet on touch screens. */
export function EmojiMenu({ isOpen, onChange, onPick, position, children }: Props) {
  const isTouch = useTouch();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const close = () => onChange(false);
  return (
    <>
      {cloneElement(children, { ref: setButton, "aria-haspopup": "dialog", "aria-expanded": isOpen })}
      <Suspense>
        {isOpen && isTouch && (
          <Sheet title={texts.emoji.all} isTitleHidden onClosed={close}>
            {(closeSheet) => <EmojiPicker onPick={(emoji) => closeSheet(() => onPick(emoji))} />}
          </Sheet>
        )}
        {isOpen && !isTouch && button && (
          <EmojiPopover button={button} position={position} onPick={onPick} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
