import { ProgressBar } from "@/kit/layout/ProgressBar";
import { formatBytes } from "@/kit/text/units";
import { imports as labels } from "@/texts/imports";
import classes from "./Imports.module.css";
import type { Import } from "./queries";

/** How far the upload, the check or the import is. */
export function ImportProgress({ one }: { one: Import }) {
  const { name, status, done, total, received, size } = one;
  if (status === "uploading")
    return (
      <>
        <UploadProgress name={name} sent={received} size={size} />
        {labels.elsewhere}
      </>
    );
  if (status !== "checking" && status !== "importing") return null;
  const amount = total > 0 ? labels.imported(done, total) : labels.preparing;
  return (
    <div className={classes.progress}>
      <ProgressBar label={labels.progress(name)} done={done} total={total} />
      {status === "importing" && <span>{amount}</span>}
    </div>
  );
}

export function UploadProgress({ name, sent, size }: { name: string; sent: number; size: number }) {
  return (
    <div className={classes.progress}>
      <ProgressBar label={labels.progress(name)} done={sent} total={size} />
      <span>{labels.sent(formatBytes(sent), formatBytes(size))}</span>
    </div>
  );
}
