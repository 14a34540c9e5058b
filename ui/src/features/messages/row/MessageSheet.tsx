import { Plus } from "lucide-react";
import { Sheet } from "@/kit/overlay/Sheet";
import { SheetActions } from "@/kit/overlay/SheetActions";
import { quickEmoji } from "@/model/emoji/frequent";
import { texts } from "@/texts";
import type { MessageAction } from "./messageActions";
import classes from "./MessageSheet.module.css";

const QUICK = 5;

interface Props {
  actions: MessageAction[];
  /** Adds a reaction; null if the reader cannot react. */
  onReact: ((emoji: string) => void) | null;
  onClosed: () => void;
}

/** The actions of a message on a touch screen: emoji to react with, and the other actions below them. */
export function MessageSheet({ actions, onReact, onClosed }: Props) {
  const picker = actions.find(({ name }) => name === "react");
  return (
    <Sheet title={texts.messages.actions} isTitleHidden onClosed={onClosed}>
      {(close) => (
        <>
          {onReact && picker && (
            <div className={classes.emoji}>
              {quickEmoji(QUICK).map((emoji) => (
                <button
                  key={emoji}
                  type="button"
                  aria-label={texts.messages.reactWith(emoji)}
                  onClick={() => close(() => onReact(emoji))}
                >
                  {emoji}
                </button>
              ))}
              <button type="button" aria-label={texts.messages.moreEmoji} onClick={() => close(picker.act)}>
                <Plus size={22} aria-hidden />
              </button>
            </div>
          )}
          <SheetActions actions={actions.filter((each) => each !== picker)} close={close} />
        </>
      )}
    </Sheet>
  );
}
