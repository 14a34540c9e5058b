import { useId, useState } from "react";
import type { BlockType } from "@/model/blocks/content";
import { blocks as texts } from "@/texts/blocks";
import { GrowingField, type FieldKeys } from "./GrowingField";
import { MentionField } from "./MentionField";
import type { Focus } from "./pageEditor";
import { SlashMenu } from "./SlashMenu";
import { enterBeginsLine, kindsFor, shortcutIn, slashAt, type KindName } from "./typing";

interface Props extends FieldKeys {
  type: BlockType;
  value: string;
  placeholder?: string;
  className?: string;
  focus: Focus | null;
  onChange: (value: string) => void;
  /** A type was chosen: with the text that stays here and whether that is the block to turn into it. */
  onKind: (name: KindName, rest: string) => void;
}

/** The text of a block. "/" offers the types, and the marks of Markdown at the beginning choose one. */
export function TextField({ type, value, onChange, onKind, ...field }: Props) {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const slash = type === "code" ? null : slashAt(value, caret);
  const names = slash && slash.from !== dismissed ? kindsFor(slash.query, texts.kinds) : [];
  const active = Math.min(chosen, names.length - 1);
  const take = (name: KindName) => {
    if (slash) onKind(name, value.slice(0, slash.from) + value.slice(caret));
    setCaret(0);
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (names.length === 0 || !["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(event.key))
      return false;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "ArrowDown") setChosen((active + 1) % names.length);
    else if (event.key === "ArrowUp") setChosen((active - 1 + names.length) % names.length);
    else if (event.key === "Escape") setDismissed(slash?.from ?? -1);
    else if (names[active]) take(names[active]);
    return true;
  };
  const change = (text: string, at: number) => {
    const shortcut = type === "paragraph" && text.length > value.length ? shortcutIn(text) : null;
    setCaret(at);
    setChosen(0);
    if (!slashAt(text, at)) setDismissed(-1);
    if (shortcut) onKind(shortcut.name, shortcut.rest);
    else onChange(text);
  };
  const Field = type === "code" ? GrowingField : MentionField;
  return (
    <>
      <Field
        {...field}
        value={value}
        label={texts.types[type]}
        isNewLine={(before) => enterBeginsLine(type, before)}
        onChange={change}
        onKey={onKey}
        list={{ id, active: names[active] && `${id}-${names[active]}` }}
      />
      {names.length > 0 && <SlashMenu id={id} names={names} active={active} onTake={take} />}
    </>
  );
}
