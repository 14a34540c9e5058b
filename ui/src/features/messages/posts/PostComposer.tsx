import { PenLine } from "lucide-react";
import { useState } from "react";
import { DropZone } from "@/kit/input/DropZone";
import { useStore } from "@/kit/data/store";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { attach, pendingAttachments } from "../attachments/pendingAttachments";
import { Composer } from "../composer/Composer";
import { draftAt } from "../composer/drafts";
import classes from "./PostsView.module.css";

/** Writes a post. It is one line until it is used, and stays open while it has a draft. */
export function PostComposer({ onSent }: { onSent: () => void }) {
  const { room } = useRoomContext();
  const [isOpen, setOpen] = useState(() => hasDraft(room.room_id));
  const [isNew, setNew] = useState(false);
  const hasFiles = useStore(pendingAttachments).some((each) => each.place === room.room_id);
  const leave = (event: React.FocusEvent) => {
    const isInside = event.currentTarget.contains(event.relatedTarget);
    if (!isInside && event.relatedTarget && !hasFiles && !hasDraft(room.room_id)) setOpen(false);
  };
  return (
    <DropZone
      label={texts.attachments.drop}
      enabled
      onFiles={(files) => {
        setOpen(true);
        attach(room.room_id, room.room_id, files);
      }}
    >
      {isOpen || hasFiles ? (
        <div className={classes.composer} onBlur={leave}>
          <Composer
            room={room}
            rootId={null}
            label={texts.composer.post}
            onSent={() => {
              setOpen(false);
              onSent();
            }}
            autoFocus={isNew}
            isPost
          />
        </div>
      ) : (
        <button
          type="button"
          className={classes.start}
          onClick={() => {
            setNew(true);
            setOpen(true);
          }}
        >
          <PenLine size={17} aria-hidden />
          {texts.composer.newPost}
        </button>
      )}
    </DropZone>
  );
}

function hasDraft(roomId: string): boolean {
  const { text, title } = draftAt(roomId, null);
  return Boolean(text.trim() || title?.trim());
}
