import type { ReactNode } from "react";
import classes from "./ItemTitle.module.css";

/** The title of an item in a list or a table, with what is next to it: a state, a role. A link in it looks like text. */
export function ItemTitle({ children }: { children: ReactNode }) {
  return <div className={classes.title}>{children}</div>;
}
