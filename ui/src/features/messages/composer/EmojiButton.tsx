import { Popover } from "@mantine/core";
import { Smile } from "lucide-react";
import { useState } from "react";
import { texts } from "@/texts";
import { EmojiPicker } from "../emoji/EmojiPicker";
import { ToolButton } from "./ToolButton";

/** A button that opens the picker of emoji. */
export function EmojiButton({ onEmoji }: { onEmoji: (emoji: string) => void }) {
  const [isPicking, setPicking] = useState(false);
  return (
    <Popover opened={isPicking} onChange={setPicking} position="top-start" trapFocus returnFocus>
      <Popover.Target>
        <ToolButton label={texts.composer.emoji} onClick={() => setPicking(!isPicking)}>
          <Smile size={17} />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <EmojiPicker
          onPick={(emoji) => {
            setPicking(false);
            onEmoji(emoji);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
