import type { MouseEvent, ReactNode } from "react";
import classes from "./ActorButton.module.css";
import { openCard } from "./card";

interface Props {
  organizationId: string;
  actorId: string;
  className?: string;
  /** Whether it repeats a name next to it, as a picture does: only a pointer uses it. */
  isRepeated?: boolean;
  children: ReactNode;
}

/** A name or picture that opens the profile card of its person or integration. */
export function ActorButton({ organizationId, actorId, className = "", isRepeated, children }: Props) {
  const open = (event: MouseEvent<HTMLElement>) => {
    event.stopPropagation(); // what is around it, such as a block, opens on a click, too
    openCard.set({ organizationId, actorId, anchor: event.currentTarget });
  };
  const repeated = isRepeated && { tabIndex: -1, "aria-hidden": true };
  return (
    <button
      type="button"
      className={`${classes.button} ${className}`}
      aria-haspopup="dialog"
      onClick={open}
      {...repeated}
    >
      {children}
    </button>
  );
}
