import { ActionIcon, Popover } from "@mantine/core";
import { Bold, Code, Italic, SendHorizontal, Smile } from "lucide-react";
import { useState } from "react";
import { texts } from "@/texts";
import { AttachButton } from "../attachments/AttachButton";
import { EmojiPicker } from "../emoji/EmojiPicker";
import classes from "./Composer.module.css";

interface Props {
  onFiles: (files: File[]) => void;
  onMark: (mark: string) => void;
  onEmoji: (emoji: string) => void;
  /** Why the message cannot be sent yet; empty if there is nothing to send, null if it can be sent. */
  notYet: string | null;
  onSend: () => void;
}

const FORMATS = [
  { mark: "**", label: texts.composer.bold, icon: Bold },
  { mark: "_", label: texts.composer.italic, icon: Italic },
  { mark: "`", label: texts.composer.code, icon: Code },
];

/** The toolbar of the composer. */
export function ComposerTools({ onFiles, onMark, onEmoji, notYet, onSend }: Props) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div className={classes.tools}>
      <AttachButton onFiles={onFiles} />
      {FORMATS.map(({ mark, label, icon: Icon }) => (
        <ActionIcon
          key={mark}
          variant="subtle"
          color="gray"
          title={label}
          aria-label={label}
          onClick={() => onMark(mark)}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
      <Popover opened={isPicking} onChange={setPicking} position="top-start" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            title={texts.composer.emoji}
            aria-label={texts.composer.emoji}
            onClick={() => setPicking(!isPicking)}
          >
            <Smile size={17} />
          </ActionIcon>
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
      <ActionIcon
        className={classes.send}
        size="md"
        aria-label={texts.composer.send}
        title={notYet || texts.composer.send}
        disabled={notYet !== null}
        onClick={onSend}
      >
        <SendHorizontal size={16} />
      </ActionIcon>
    </div>
  );
}
