import { Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { texts } from "@/texts";
import classes from "./ConnectionNotice.module.css";
import type { Connection } from "./stream";

const DELAY_MS = 1500;

/** Show that the connection is lost, unless it comes back immediately. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  return <div role="status">{connection === "lost" && <Reconnecting />}</div>;
}

function Reconnecting() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
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
