import { useEffect, useState, type DragEvent, type ReactNode } from "react";
import classes from "./DropZone.module.css";

interface Props {
  /** Shown while files are dragged over it. */
  label: string;
  /** Receives the dropped files, and the height on the screen at which they were dropped. */
  onFiles: (files: File[], y: number) => void;
  enabled: boolean;
  children: ReactNode;
}

/** An area that accepts dropped files. */
export function DropZone({ label, onFiles, enabled, children }: Props) {
  const [depth, setDepth] = useState(0);
  useEffect(keepBrowserHere, []);
  if (!enabled) return <div className={classes.zone}>{children}</div>;
  const deeper = (event: DragEvent, by: number) => {
    if (hasFiles(event)) setDepth((known) => Math.max(0, known + by));
  };
  const drop = (event: DragEvent) => {
    setDepth(0);
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(files, event.clientY);
  };
  return (
    <div
      className={classes.zone}
      onDragEnter={(event) => deeper(event, 1)}
      onDragLeave={(event) => deeper(event, -1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {depth > 0 && <div className={classes.over}>{label}</div>}
    </div>
  );
}

const hasFiles = (event: { dataTransfer: DataTransfer | null }): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/** Keep the browser on the page when a file is dropped outside all drop zones. */
function keepBrowserHere(): () => void {
  const stay = (event: globalThis.DragEvent) => {
    if (hasFiles(event)) event.preventDefault();
  };
  addEventListener("dragover", stay);
  addEventListener("drop", stay);
  return () => {
    removeEventListener("dragover", stay);
    removeEventListener("drop", stay);
  };
}
