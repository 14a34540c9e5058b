import { lazy, Suspense } from "react";
import { fullTime } from "@/kit/text/times";
import { Markdown } from "@/model/markdown/Markdown";
import { PlainIfBroken } from "@/model/markdown/PlainIfBroken";
import { useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { texts } from "@/texts";
import { AttachmentList } from "../attachments/AttachmentList";
import classes from "./MessageRow.module.css";

const InlineBlocks = lazy(() =>
  import("@/model/blocks/InlineBlocks").then((module) => ({ default: module.InlineBlocks })),
);

const EditForm = lazy(() => import("../composer/EditForm").then((module) => ({ default: module.EditForm })));

interface Props {
  message: Message;
  isEdited: boolean;
}

/** The content of a message; a deleted one says that it was deleted. */
export function MessageBody({ message, isEdited }: Props) {
  const { room } = useRoomContext();
  if (message.status === "DELETED") return <p className={classes.deleted}>{texts.messages.deleted}</p>;
  if (isEdited)
    return (
      <Suspense>
        <EditForm message={message} />
      </Suspense>
    );
  return (
    <PlainIfBroken key={message.edited_at} text={message.text}>
      {message.text && <Markdown text={message.text} organizationId={room.organization_id} />}
      {message.blocks.length > 0 && (
        <Suspense>
          <InlineBlocks blocks={message.blocks} organizationId={room.organization_id} />
        </Suspense>
      )}
      <AttachmentList attachments={message.attachments} />
      {message.edited_at && (
        <span className={classes.edited} title={fullTime(message.edited_at)}>
          {texts.messages.edited}
        </span>
      )}
    </PlainIfBroken>
  );
}
