import { Drawer } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useBackToClose } from "@/kit/overlay/back";
import { useSwipe } from "@/kit/input/swipe";
import { texts } from "@/texts";
import classes from "./Shell.module.css";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The sidebar as a drawer, for narrow windows. A swipe and "Back" close it, too. */
export function NarrowMenu({ isOpen, onClose, children }: Props) {
  const [content, setContent] = useState<HTMLElement | null>(null);
  useSwipe(content, "left", onClose);
  useBackToClose(isOpen, onClose);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      size="min(320px, 84vw)"
      classNames={{ inner: classes.inner, content: classes.drawer }}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={setContent} aria-label={texts.rooms.all}>
        {children}
        <Drawer.CloseButton className={classes.close} aria-label={texts.app.close} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
