import { ActionIcon, Button, type ActionIconProps } from "@mantine/core";
import {
  ALargeSmall,
  Eye,
  PencilLine,
  SendHorizontal,
  Smile,
  Bold,
  Code,
  Italic,
  Link,
  List,
  ListOrdered,
  SquareCode,
  Strikethrough,
  TextQuote,
  type LucideIcon,
} from "lucide-react";
import { useState, type ComponentProps, type ReactNode } from "react";
import { Toolbar } from "@/kit/input/Toolbar";
import { keepFocus } from "@/kit/input/touch";
import { texts } from "@/texts";
import { AttachButton } from "../attachments/AttachButton";
import { EmojiMenu } from "../emoji/EmojiMenu";
import classes from "./ComposerTools.module.css";
import { type Format, FORMATS } from "./formats";

interface Props {
  onFiles: (files: File[]) => void;
  onFormat: (format: Format) => void;
  onEmoji: (emoji: string) => void;
  isPreviewed: boolean;
  canPreview: boolean;
  onPreview: () => void;
  /** Why the message cannot be sent yet; empty if there is nothing to send, null if it can be sent. */
  notYet: string | null;
  /** Whether Enter continues what is written, so that Ctrl+Enter sends. */
  enterContinues: boolean;
  isPost?: boolean;
  onSend: () => void;
}

/** The toolbar of the composer: one tab stop, with the arrow keys between its buttons, and the button to send. */
export function ComposerTools(props: Props) {
  const {
    onFiles,
    onFormat,
    onEmoji,
    isPreviewed,
    canPreview,
    onPreview,
    notYet,
    enterContinues: continues,
    isPost,
    onSend,
  } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.tools} onMouseDown={keepFocus}>
      <Toolbar className={classes.bar} label={texts.composer.tools}>
        <AttachButton onFiles={onFiles} />
        <ToolButton
          className={classes.opener}
          label={texts.composer.formatting}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ALargeSmall size={19} />
        </ToolButton>
        <div className={classes.formats} data-open={isOpen || undefined}>
          <FormatButtons onFormat={onFormat} disabled={isPreviewed} />
        </div>
        <EmojiButton onEmoji={onEmoji} />
        {canPreview && (
          <ToolButton label={isPreviewed ? texts.composer.write : texts.composer.preview} onClick={onPreview}>
            {isPreviewed ? <PencilLine size={16} /> : <Eye size={17} />}
          </ToolButton>
        )}
      </Toolbar>
      {(continues || isPost) && (
        <span className={classes.hint}>{isPost ? texts.composer.publishWith : texts.composer.sendWith}</span>
      )}
      {isPost ? (
        <Button
          className={classes.send}
          size="compact-md"
          title={notYet || undefined}
          disabled={notYet !== null}
          onClick={onSend}
        >
          {texts.composer.publish}
        </Button>
      ) : (
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
      )}
    </div>
  );
}

/** A button that opens the picker of emoji. */
function EmojiButton({ onEmoji }: { onEmoji: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <EmojiMenu isOpen={isOpen} onChange={setOpen} onPick={onEmoji} position="top-start">
      <ToolButton label={texts.composer.emoji}>
        <Smile size={17} />
      </ToolButton>
    </EmojiMenu>
  );
}

interface FormatButtonsProps {
  onFormat: (format: Format) => void;
  disabled?: boolean;
}

const ICONS: Record<Format["name"], LucideIcon> = {
  bold: Bold,
  italic: Italic,
  strikethrough: Strikethrough,
  link: Link,
  bullets: List,
  numbers: ListOrdered,
  quote: TextQuote,
  code: Code,
  codeBlock: SquareCode,
};

/** The buttons that format the selected text. The field keeps its selection. */
function FormatButtons({ onFormat, disabled }: FormatButtonsProps) {
  return FORMATS.map((format) => {
    const Icon = ICONS[format.name];
    return (
      <ToolButton
        key={format.name}
        label={texts.composer.formats[format.name]}
        disabled={disabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onFormat(format)}
      >
        <Icon size={16} />
      </ToolButton>
    );
  });
}

interface ToolButtonProps extends ActionIconProps, Omit<ComponentProps<"button">, keyof ActionIconProps> {
  label: string;
  children: ReactNode;
}

/** A button of the composer's toolbar. */
function ToolButton({ label, ...button }: ToolButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      title={label}
      aria-label={label}
      {...button}
      className={[classes.tool, button.className].join(" ")}
    />
  );
}
