import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isTouch } from "@/kit/input/touch";
import { texts } from "@/texts";
import { emojiList } from "@/model/emoji/emoji";
import classes from "./EmojiPicker.module.css";

const ACROSS = 8;

/** A grid of emoji that can be searched by name and used with the arrow keys. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [typed, setTyped] = useState("");
  const { data: list } = useQuery(emojiList);
  const found = list?.findEmoji(typed) ?? [];
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
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found[0]) {
            event.preventDefault();
            onPick(found[0].emoji);
          }
        }}
        data-autofocus={!isTouch() || undefined}
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
      {list && found.length === 0 && <p className={classes.nothing}>{texts.emoji.none}</p>}
    </div>
  );
}
