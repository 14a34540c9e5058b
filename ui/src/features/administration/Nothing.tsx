import type { ReactNode } from "react";
import classes from "./Nothing.module.css";

interface Props {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
}

/** In place of an empty list: what would be here. */
export function Nothing({ icon, title, children }: Props) {
  return (
    <div className={classes.nothing}>
      {icon}
      <p>{title}</p>
      {children && <div>{children}</div>}
    </div>
  );
}
