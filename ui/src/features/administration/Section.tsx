import { useId, type ReactNode } from "react";
import classes from "./Section.module.css";

interface Props {
  title: string;
  hint?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A section of a page with a heading. */
export function Section({ title, hint, action, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.part}>
      <div className={classes.head}>
        <div>
          <h3 id={id}>{title}</h3>
          {hint && <p>{hint}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
