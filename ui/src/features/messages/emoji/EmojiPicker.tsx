import { TextInput } from "@mantine/core";
import { useState } from "react";
import { texts } from "@/texts";
import { findEmoji } from "./emoji";
import classes from "./EmojiPicker.module.css";

const ACROSS = 8;

/** Emoji to choose from: by typing a name, by arrow keys, or by hand. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [typed, type] = useState("");
  const found = findEmoji(typed);
  const move = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: ACROSS,
      ArrowUp: -ACROSS,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    const all = [...event.currentTarget.querySelectorAll("button")];
    const next = all[all.indexOf(event.target as HTMLButtonElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className={classes.picker}>
      <TextInput
        size="xs"
        aria-label={texts.emoji.find}
        placeholder={texts.emoji.find}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found[0]) {
            event.preventDefault();
            onPick(found[0].emoji);
          }
        }}
        data-autofocus
      />
      <div className={classes.grid} onKeyDown={move} role="group" aria-label={texts.emoji.all}>
        {found.map(({ emoji, names }, index) => (
          <button
            key={emoji}
            type="button"
            tabIndex={index === 0 ? 0 : -1}
            aria-label={names[0]?.replaceAll("_", " ")}
            title={`:${names[0] ?? ""}:`}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className={classes.nothing}>{texts.emoji.none}</p>}
    </div>
  );
}
