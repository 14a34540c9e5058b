import { lazy, type ReactElement } from "react";
import { Opener } from "@/kit/overlay/Opener";
import { useTouch } from "@/kit/input/touch";
import { texts } from "@/texts";
import { EmojiPicker } from "./EmojiPicker";
import type { PopoverPosition } from "./EmojiPopover";

const loadPopover = () => import("./EmojiPopover");
const EmojiPopover = lazy(() => loadPopover().then((m) => ({ default: m.EmojiPopover })));
const loadSheet = () => import("@/kit/overlay/Sheet");
const Sheet = lazy(() => loadSheet().then((m) => ({ default: m.Sheet })));

interface Props {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  onPick: (emoji: string) => void;
  position: PopoverPosition;
  /** The button that opens it. */
  children: ReactElement<React.ComponentPropsWithRef<"button">>;
}

/** The picker of emoji: next to its button, or as a sheet on touch screens. */
export function EmojiMenu({ isOpen, onChange, onPick, position, children }: Props) {
  const isTouch = useTouch();
  return (
    <Opener
      isOpen={isOpen}
      onChange={onChange}
      opens="dialog"
      load={isTouch ? loadSheet : loadPopover}
      button={children}
    >
      {isTouch ? (
        isOpen && (
          <Sheet title={texts.emoji.all} isTitleHidden onClosed={() => onChange(false)}>
            {(closeSheet) => <EmojiPicker onPick={(emoji) => closeSheet(() => onPick(emoji))} />}
          </Sheet>
        )
      ) : (
        <EmojiPopover position={position} onPick={onPick} />
      )}
    </Opener>
  );
}
