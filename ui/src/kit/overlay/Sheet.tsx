import { Drawer, VisuallyHidden } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useBackToClose } from "./back";
import { useFocusReturn } from "./focusReturn";
import classes from "./Sheet.module.css";
import { useSwipe } from "../input/swipe";

/** Closes the sheet, and then acts with the focus where it was before. */
export type CloseSheet = (then?: () => void) => void;

interface Props {
  title: string;
  isTitleHidden?: boolean;
  /** Called when the sheet is hidden. */
  onClosed: () => void;
  children: (close: CloseSheet) => ReactNode;
}

/** A panel at the bottom of a touch screen. A swipe down, a tap next to it, Escape and "Back" close it. */
export function Sheet({ title, isTitleHidden, onClosed, children }: Props) {
  const [isOpen, setOpen] = useState(true);
  const [content, setContent] = useState<HTMLElement | null>(null);
  const { ref, giveBack } = useFocusReturn();
  const close: CloseSheet = (then) => {
    setOpen(false);
    giveBack();
    then?.();
  };
  const dismiss = () => close();
  useSwipe(content, "down", dismiss);
  useBackToClose(isOpen, dismiss);
  return (
    <Drawer.Root
      ref={ref}
      opened={isOpen}
      onClose={dismiss}
      onExitTransitionEnd={onClosed}
      position="bottom"
      size="auto"
      returnFocus={false}
      classNames={classes}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={setContent}>
        <Drawer.Header data-hidden={isTitleHidden || undefined}>
          {/* The title has the focus first: a field would open the keyboard. */}
          <Drawer.Title tabIndex={-1} data-autofocus>
            {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
          </Drawer.Title>
        </Drawer.Header>
        <Drawer.Body>{children(close)}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
