import { VisuallyHidden } from "@mantine/core";
import { Download, File, FileArchive, FileAudio, FileText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Schemas } from "@/api/client";
import { formatBytes } from "@/kit/text/units";
import { texts } from "@/texts";
import classes from "./AttachmentList.module.css";
import { contentOf, isPicture, thumbnailOf, thumbnailSize } from "./thumbnails";

export type Attachment = Schemas["Attachment"];

const Lightbox = lazy(() => import("./Lightbox").then((module) => ({ default: module.Lightbox })));

/** The files of a message: thumbnails to enlarge, audio and video to play, other files to download. */
export function AttachmentList({ attachments }: { attachments: Attachment[] }) {
  const [shown, setShown] = useState<Attachment | null>(null);
  if (attachments.length === 0) return null;
  return (
    <>
      <ul className={classes.list} aria-label={texts.attachments.attached}>
        {attachments.map((each) => (
          <li key={each.attachment_id}>
            {isPicture(each) ? (
              <Thumbnail picture={each} onOpen={() => setShown(each)} />
            ) : (
              <FileCard file={each} />
            )}
          </li>
        ))}
      </ul>
      {shown && (
        <Suspense>
          <Lightbox picture={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}

function Thumbnail({ picture, onOpen }: { picture: Attachment; onOpen: () => void }) {
  const size = thumbnailSize(picture);
  return (
    <button
      type="button"
      className={classes.picture}
      aria-label={texts.attachments.enlarge(picture.name)}
      title={picture.name}
      onClick={onOpen}
    >
      <img src={thumbnailOf(picture)} alt="" loading="lazy" decoding="async" {...size} />
    </button>
  );
}

function FileCard({ file }: { file: Attachment }) {
  return (
    <div className={classes.file}>
      <a className={classes.link} href={contentOf(file)} download={file.name}>
        <VisuallyHidden>{texts.attachments.download} </VisuallyHidden>
        <FileIcon mediaType={file.media_type} />
        <span className={classes.about}>
          <bdi>{file.name}</bdi>
          <span>{formatBytes(file.size)}</span>
        </span>
        <Download size={16} aria-hidden />
      </a>
      {file.media_type.startsWith("audio/") && (
        <audio controls preload="none" src={contentOf(file)} aria-label={file.name} />
      )}
      {file.media_type.startsWith("video/") && (
        <video controls preload="metadata" src={contentOf(file)} aria-label={file.name} />
      )}
    </div>
  );
}

function FileIcon({ mediaType }: { mediaType: string }) {
  const look = { size: 26, "aria-hidden": true };
  if (mediaType.startsWith("audio/")) return <FileAudio {...look} />;
  if (/zip|compressed|tar|x-7z|rar/.test(mediaType)) return <FileArchive {...look} />;
  return /pdf|text|word|document/.test(mediaType) ? <FileText {...look} /> : <File {...look} />;
}
