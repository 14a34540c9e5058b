import type { MouseEvent, ReactNode } from "react";
import classes from "./Actor.module.css";
import { openCard } from "./card";

interface Props {
  organizationId: string;
  actorId: string;
  className?: string;
  /** Whether it repeats a name next to it, as a picture does: only a pointer uses it. */
  isRepeated?: boolean;
  /** Whether it names who wrote what is below: fingers also hit around it. */
  isAuthor?: boolean;
  children: ReactNode;
}

/** A name or picture that opens the profile card of its person or integration. */
export function ActorButton(props: Props) {
  const { organizationId, actorId, className = "", isRepeated, isAuthor, children } = props;
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
      data-author={isAuthor}
      onClick={open}
      {...repeated}
    >
      {children}
    </button>
  );
}
