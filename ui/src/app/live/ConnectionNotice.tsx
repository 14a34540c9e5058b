import { Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { texts } from "@/texts";
import classes from "./ConnectionNotice.module.css";
import type { Connection } from "./stream";

const PATIENCE_MS = 1500;

/** Says so when what is shown may be behind; a cut that heals at once is not worth a word. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  return <div role="status">{connection === "lost" && <Reconnecting />}</div>;
}

function Reconnecting() {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div className={classes.notice}>
      <Loader size={14} color="currentColor" aria-hidden />
      {texts.live.reconnecting}
    </div>
  );
}
