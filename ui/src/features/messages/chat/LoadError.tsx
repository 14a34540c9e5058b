import { useStore } from "@/kit/data/store";
import type { TimelineStore } from "@/model/messages/timelineStore";
import { texts } from "@/texts";
import classes from "./ChatView.module.css";

/** Says why messages didn't load, with a button to try again. */
export function LoadError({ store }: { store: TimelineStore }) {
  const { error } = useStore(store.loading);
  if (!error) return null;
  return (
    <p className={classes.problem} role="alert">
      {error}{" "}
      <button type="button" onClick={() => void store.retry()}>
        {texts.app.tryAgain}
      </button>
    </p>
  );
}
