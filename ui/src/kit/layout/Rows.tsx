import type { ReactNode } from "react";
import classes from "./Rows.module.css";

/** A list of items with details and actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface Props {
  picture?: ReactNode;
  title: ReactNode;
  /** Next to the title: a state, a role. */
  mark?: ReactNode;
  details?: ReactNode;
  children?: ReactNode;
}

export function Row({ picture, title, mark, details, children }: Props) {
  return (
    <li className={classes.row}>
      {picture}
      <div className={classes.about}>
        <ItemTitle>
          {title} {mark}
        </ItemTitle>
        {details && <div className={classes.more}>{details}</div>}
      </div>
      {children && <div className={classes.tools}>{children}</div>}
    </li>
  );
}

/** The title of an item in a list or a table, with what is next to it: a state, a role. A link in it looks like text. */
export function ItemTitle({ children }: { children: ReactNode }) {
  return <div className={classes.title}>{children}</div>;
}
