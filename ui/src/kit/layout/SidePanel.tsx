import { CloseButton } from "@mantine/core";
import { ArrowLeft, X } from "lucide-react";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { useFocusReturn } from "../overlay/focusReturn";
import { useSwipe } from "../input/swipe";
import classes from "./SidePanel.module.css";

interface Props {
  title: string;
  closeLabel: string;
  onClose: () => void;
  /** What the header says after the title. */
  head?: ReactNode;
  children: ReactNode;
}

/** A panel next to a page, over it in a narrow window. Escape closes it, and the focus is where it was before. */
export function SidePanel({ title, closeLabel, onClose, head, children }: Props) {
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  useFocusReturn();
  useSwipe(panel, "right", onClose);
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault(); // in the room, Escape marks it as read
    onClose();
  };
  return (
    <section ref={setPanel} className={classes.panel} aria-label={title} onKeyDown={closeOnEscape}>
      <header className={classes.header}>
        <h2>{title}</h2>
        <div className={classes.head}>{head}</div>
        <CloseButton icon={<BackOrClose />} aria-label={closeLabel} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

/** A panel covers a narrow window, which it leads back from. */
const BackOrClose = () => (
  <>
    <ArrowLeft className={classes.back} size={20} aria-hidden />
    <X className={classes.close} size={18} aria-hidden />
  </>
);
