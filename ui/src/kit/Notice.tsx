import classes from "./Notice.module.css";
import { said } from "./notices";
import { useStore } from "./store";

/** What was said in passing, for eyes and screen readers. */
export function Notice() {
  const now = useStore(said);
  return (
    <div className={classes.place} role={now?.trouble ? "alert" : "status"}>
      {now && (
        <div className={classes.notice} data-trouble={now.trouble || undefined}>
          {now.text}
        </div>
      )}
    </div>
  );
}
