import { Button, CloseButton } from "@mantine/core";
import { ProgressBar } from "@/kit/layout/ProgressBar";
import { formatBytes } from "@/kit/text/formatBytes";
import { useStore } from "@/kit/data/store";
import { texts } from "@/texts";
import { recordings } from "@/texts/recordings";
import classes from "./UploadList.module.css";
import { cancelUpload, uploadAgain, uploads, type Uploading } from "./uploads";

const labels = recordings.uploads;

/** The uploads to a room, with their progress. */
export function UploadList({ roomId }: { roomId: string }) {
  const own = useStore(uploads).filter((each) => each.roomId === roomId);
  if (own.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={labels.label}>
      {own.map((each) => (
        <li key={each.key} className={classes.upload} data-failed={each.failed !== null || undefined}>
          <div className={classes.about}>
            <bdi>{each.name}</bdi>
            <Progress uploading={each} />
          </div>
          {each.failed && (
            <Button size="compact-sm" variant="default" onClick={() => uploadAgain(each)}>
              {texts.app.tryAgain}
            </Button>
          )}
          <CloseButton aria-label={labels.cancelUpload(each.name)} onClick={() => cancelUpload(each)} />
        </li>
      ))}
    </ul>
  );
}

function Progress({ uploading: { name, sent, file, failed } }: { uploading: Uploading }) {
  if (failed) return <span role="alert">{labels.failed(failed)}</span>;
  return (
    <>
      <ProgressBar label={labels.going(name)} done={sent} total={file.size} />
      <span>{labels.amount(formatBytes(sent), formatBytes(file.size))}</span>
    </>
  );
}
