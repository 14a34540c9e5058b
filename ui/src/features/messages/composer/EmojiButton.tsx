import { Smile } from "lucide-react";
import { useState } from "react";
import { texts } from "@/texts";
import { EmojiMenu } from "../emoji/EmojiMenu";
import { ToolButton } from "./ToolButton";

/** A button that opens the picker of emoji. */
export function EmojiButton({ onEmoji }: { onEmoji: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <EmojiMenu isOpen={isOpen} onChange={setOpen} onPick={onEmoji} position="top-start">
      <ToolButton label={texts.composer.emoji}>
        <Smile size={17} />
      </ToolButton>
    </EmojiMenu>
  );
}
