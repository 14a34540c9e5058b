import { FileText, RotateCw, X } from "lucide-react";
import { formatBytes } from "@/kit/text/units";
import { useStore } from "@/kit/data/store";
import { texts } from "@/texts";
import classes from "./AttachmentTray.module.css";
import { retryAttachment, pendingAttachments, detach, type PendingAttachment } from "./pendingAttachments";

/** The files attached to the message that is being written. */
export function AttachmentTray({ place }: { place: string }) {
  const files = useStore(pendingAttachments).filter((each) => each.place === place);
  if (files.length === 0) return null;
  return (
    <ul className={classes.tray} aria-label={texts.attachments.attached}>
      {files.map((each) => (
        <li key={each.key} className={classes.file} data-failed={each.failed !== null || undefined}>
          {each.preview ? <img src={each.preview} alt="" /> : <FileText size={22} aria-hidden />}
          <span className={classes.about}>
            <bdi className={classes.name}>{each.file.name}</bdi>
            <span role={each.failed ? "alert" : undefined}>{stateOf(each)}</span>
          </span>
          {each.failed && (
            <button
              type="button"
              aria-label={texts.attachments.tryAgain(each.file.name)}
              onClick={() => retryAttachment(each)}
            >
              <RotateCw size={15} aria-hidden />
            </button>
          )}
          <button
            type="button"
            aria-label={texts.attachments.remove(each.file.name)}
            onClick={() => detach(each)}
          >
            <X size={16} aria-hidden />
          </button>
          {!each.attachmentId && !each.failed && (
            <progress
              className={classes.bar}
              value={each.sent}
              max={each.file.size}
              aria-label={each.file.name}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function stateOf({ failed, attachmentId, sent, file }: PendingAttachment): string {
  if (failed) return failed;
  return attachmentId
    ? formatBytes(file.size)
    : texts.attachments.uploading(Math.floor((100 * sent) / (file.size || 1)));
}
