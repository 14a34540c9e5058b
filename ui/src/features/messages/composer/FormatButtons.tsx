import {
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
import { texts } from "@/texts";
import { FORMATS, type Format } from "./formats";
import { ToolButton } from "./ToolButton";

interface Props {
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
export function FormatButtons({ onFormat, disabled }: Props) {
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
