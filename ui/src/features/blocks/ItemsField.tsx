import { useState } from "react";
import boxes from "@/kit/input/CheckBox.module.css";
import shapes from "@/model/blocks/BlockContent.module.css";
import {
  itemsOf,
  levelsOf,
  MAX_LEVEL,
  nesting,
  type BlockType,
  type Content,
  type TodoItem,
} from "@/model/blocks/content";
import { named } from "@/model/writing/named";
import { blocks as texts } from "@/texts/blocks";
import { MentionField } from "./MentionField";
import type { Focus } from "./pageEditor";

interface Props {
  type: BlockType;
  content: Content;
  focus: Focus | null;
  onChange: (content: Content) => void;
  /** Enter in the last, empty item: the list goes on without it. */
  onEnd: (content: Content) => void;
  /** Backspace at the beginning of the first item. */
  onBackspace: () => void;
  onStep: (by: 1 | -1) => void;
}

/** The items of a list, or of a list of tasks: Enter makes the next one, Backspace joins it with the one above, Tab nests it. */
export function ItemsField({ type, content, focus, onChange, onEnd, onBackspace, onStep }: Props) {
  const items = toItems(type, content);
  const [inside, setInside] = useState<{ at: number; focus: Focus } | null>(null);
  const [seen, setSeen] = useState(focus);
  if (seen !== focus) {
    setSeen(focus);
    setInside(null);
  }
  const change = (next: TodoItem[]) => onChange(toContent(type, content, next));
  const focusOf = (at: number): Focus | null => {
    if (!focus || focus.caret === "row" || focus.caret === "here") return null;
    if (inside) return at === inside.at ? inside.focus : null;
    return at === (focus.part ?? (focus.caret === "start" ? 0 : items.length - 1)) ? focus : null;
  };
  const go = (at: number, caret: Focus["caret"]) => setInside({ at, focus: { key: "", caret } });
  const step = (at: number, by: 1 | -1) =>
    items[at + by] ? go(at + by, by === 1 ? "start" : "end") : onStep(by);
  const enter = (at: number, before: string, after: string) => {
    if (!before.trim() && !after.trim() && nest(at, -1)) return;
    const isLast = at === items.length - 1;
    if (isLast && !before.trim() && !after.trim()) return onEnd(toContent(type, content, items.slice(0, -1)));
    const parts = [
      { ...itemAt(items, at), text: before },
      { ...itemAt(items, at), text: after, done: false },
    ];
    change([...items.slice(0, at), ...parts, ...items.slice(at + 1)]);
    go(at + 1, "start");
  };
  const join = (at: number) => {
    if (nest(at, -1)) return;
    if (at === 0) return onBackspace();
    const above = itemAt(items, at - 1);
    const joined = { ...above, text: above.text + itemAt(items, at).text };
    change([...items.slice(0, at - 1), joined, ...items.slice(at + 1)]);
    go(at - 1, named(above.text).text.length);
  };
  /** Nest an item more or less deeply; return whether that is possible. */
  const nest = (at: number, by: 1 | -1): boolean => {
    const next = levelOf(items[at]) + by;
    const deepest = Math.min(MAX_LEVEL, at === 0 ? 0 : levelOf(items[at - 1]) + 1);
    if (next < 0 || (by > 0 && next > deepest)) return false;
    change(items.with(at, { ...itemAt(items, at), level: next }));
    return true;
  };
  const onKey = (event: React.KeyboardEvent, at: number): boolean => {
    if (event.key !== "Tab" || event.ctrlKey || event.metaKey || event.altKey) return false;
    const isNested = nest(at, event.shiftKey ? -1 : 1);
    if (event.shiftKey && !isNested) return false;
    event.preventDefault(); // Escape leaves the list
    return true;
  };
  const List = content.ordered ? "ol" : "ul";
  return (
    <List className={type === "todo" ? shapes.todo : shapes.list}>
      {items.map((item, at) => (
        <li key={at} data-done={item.done || undefined} {...nesting(items.map(levelOf), at)}>
          {type === "todo" && (
            <input
              type="checkbox"
              className={boxes.box}
              checked={item.done}
              aria-label={texts.done(at + 1)}
              onChange={() => change(items.with(at, { ...item, done: !item.done }))}
            />
          )}
          <MentionField
            value={item.text}
            label={texts.item(at + 1)}
            describedBy="blocks-hint"
            focus={focusOf(at)}
            onChange={(text) => change(items.with(at, { ...item, text: text.replaceAll("\n", " ") }))}
            onEnter={(before, after) => enter(at, before, after)}
            onBackspace={() => join(at)}
            onStep={(by) => step(at, by)}
            onKey={(event) => onKey(event, at)}
          />
        </li>
      ))}
    </List>
  );
}

const levelOf = (item: TodoItem | undefined): number => item?.level ?? 0;

const itemAt = (items: TodoItem[], at: number): TodoItem => items[at] ?? { text: "", done: false };

function toItems(type: BlockType, content: Content): TodoItem[] {
  const items =
    type === "todo"
      ? itemsOf<TodoItem>(content)
      : itemsOf<string>(content).map((text, at) => ({
          text,
          done: false,
          level: levelsOf(type, content)[at],
        }));
  return items.length > 0 ? items : [{ text: "", done: false }];
}

function toContent(type: BlockType, content: Content, items: TodoItem[]): Content {
  if (type === "todo")
    return { items: items.map(({ text, done, level }) => (level ? { text, done, level } : { text, done })) };
  const levels = items.map(levelOf);
  const nested = levels.some((level) => level > 0) ? { levels } : {};
  return { ordered: content.ordered === true, items: items.map((item) => item.text), ...nested };
}
