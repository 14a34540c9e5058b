import type { ReactNode } from "react";
import classes from "./Page.module.css";
import { PageHeader } from "./PageHeader";

interface Props {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

/** A page with a header and a column that scrolls below it. */
export function Page({ icon, title, children }: Props) {
  return (
    <main className={classes.page}>
      <PageHeader icon={icon} title={title} />
      <PageColumn>{children}</PageColumn>
    </main>
  );
}

/** The content of a page, which scrolls below its header. */
export function PageColumn({ children }: { children: ReactNode }) {
  return (
    <div className={classes.scroller}>
      <div className={classes.column}>{children}</div>
    </div>
  );
}

/** A page that opens panels next to it. */
export function PageWithPanels({ panels, children }: { panels: ReactNode; children: ReactNode }) {
  return (
    <main className={classes.withPanels}>
      <div className={classes.main}>{children}</div>
      {panels}
    </main>
  );
}
