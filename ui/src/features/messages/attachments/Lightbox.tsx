import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { Dialog } from "@/kit/overlay/Dialog";
import { texts } from "@/texts";
import type { Attachment } from "./AttachmentList";
import classes from "./Lightbox.module.css";
import { contentOf } from "./thumbnails";

interface Props {
  picture: Attachment;
  onClose: () => void;
}

/** A picture in full size. */
export function Lightbox({ picture, onClose }: Props) {
  return (
    <Dialog onClose={onClose} size="auto" centered title={<bdi>{picture.name}</bdi>}>
      <img
        className={classes.picture}
        src={contentOf(picture)}
        alt={picture.name}
        width={picture.width ?? undefined}
        height={picture.height ?? undefined}
      />
      <Button
        component="a"
        href={contentOf(picture)}
        download={picture.name}
        variant="default"
        mt="sm"
        leftSection={<Download size={15} aria-hidden />}
      >
        {texts.attachments.download}
      </Button>
    </Dialog>
  );
}
