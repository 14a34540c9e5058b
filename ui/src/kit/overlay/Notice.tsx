import classes from "./Notice.module.css";
import { currentNotice, hideNotice } from "./notices";
import { useStore } from "../data/store";

/** The notice that shows for a few seconds; screen readers announce it. */
export function Notice() {
  const now = useStore(currentNotice);
  return (
    <div className={classes.place} role={now?.isError ? "alert" : "status"}>
      {now && (
        <div className={classes.notice} data-error={now.isError || undefined}>
          {now.text}
          {now.action && (
            <button
              type="button"
              onClick={() => {
                hideNotice();
                now.action?.onAct();
              }}
            >
              {now.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
