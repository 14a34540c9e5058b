import { texts } from "@/texts";
import classes from "./TitleField.module.css";

interface Props {
  value: string;
  onChange: (title: string) => void;
  /** Goes on to the text. */
  onEnter: () => void;
  autoFocus?: boolean;
}

const MAX_CHARACTERS = 200;

/** The title of a post. */
export function TitleField({ value, onChange, onEnter, autoFocus }: Props) {
  return (
    <input
      className={classes.title}
      value={value}
      maxLength={MAX_CHARACTERS}
      dir="auto"
      placeholder={texts.composer.title}
      aria-label={texts.composer.title}
      autoFocus={autoFocus}
      enterKeyHint="next"
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}
