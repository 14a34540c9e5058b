import { SmilePlus } from "lucide-react";
import { useState } from "react";
import type { Message } from "@/model/messages/history";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { react } from "../row/messageActions";
import classes from "./ReactionBar.module.css";
import { EmojiMenu } from "./EmojiMenu";

/** A button that adds a reaction, always visible. */
export function AddReaction({ message }: { message: Message }) {
  const { personId } = useRoomContext();
  const [isOpen, setOpen] = useState(false);
  return (
    <EmojiMenu
      isOpen={isOpen}
      onChange={setOpen}
      onPick={(emoji) => react(message, emoji, personId)}
      position="top-start"
    >
      <button
        type="button"
        className={classes.add}
        aria-label={texts.messages.addReaction}
        title={texts.messages.addReaction}
      >
        <SmilePlus size={16} aria-hidden />
      </button>
    </EmojiMenu>
  );
}
