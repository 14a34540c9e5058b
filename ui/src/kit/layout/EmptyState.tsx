import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

interface Props {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
}

/** What an empty list shows instead. */
export function EmptyState({ icon, title, children }: Props) {
  return (
    <div className={classes.nothing}>
      {icon}
      <p>{title}</p>
      {children && <div>{children}</div>}
    </div>
  );
}
