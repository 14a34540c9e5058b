import { memo, useEffect, useRef } from "react";
import { BlockContent } from "@/model/blocks/BlockContent";
import { asText, levelOf } from "@/model/blocks/content";
import type { Block } from "@/model/blocks/page";
import { useRoomContext } from "@/model/messages/roomContext";
import { named } from "@/model/writing/named";
import { blocks as texts } from "@/texts/blocks";
import { BlockEditor } from "./BlockEditor";
import classes from "./BlockRow.module.css";
import { BlockTools } from "./BlockTools";
import type { PageActions } from "./pageActions";
import type { Focus } from "./pageEditor";
import type { Draft } from "./rows";
import { isEditable, sourceOffset } from "./typing";

let isPressed = false;
globalThis.addEventListener?.("pointerdown", () => (isPressed = true), true);
for (const end of ["pointerup", "pointercancel"]) {
  globalThis.addEventListener?.(end, () => (isPressed = false), true);
}

export interface RowProps {
  rowKey: string;
  block: Block | null;
  draft: Draft | null;
  depth: number;
  /** Where the keyboard is in this row; null if it is elsewhere. */
  focus: Focus | null;
  /** Whether Tab goes to this row: one row of the page has it. */
  hasTab: boolean;
  isMoving: boolean;
  actions: PageActions;
  onDrag: (event: React.PointerEvent, key: string) => void;
}

/** A block of the page that can be edited in place. */
export const BlockRow = memo(function BlockRow(props: RowProps) {
  const { rowKey, block, draft, depth, focus, hasTab, isMoving, actions, onDrag } = props;
  const { editor } = actions;
  const row = useRef<HTMLDivElement>(null);
  const isOpen = draft !== null;
  const type = draft?.type ?? block?.type ?? "paragraph";
  useEffect(() => {
    if (focus?.caret === "row" || (focus && !isEditable(type))) row.current?.focus();
  }, [focus, type]);

  const onBlur = (event: React.FocusEvent) => {
    const here = event.currentTarget;
    const isInMenu = event.relatedTarget?.closest("[role=menu]"); // of this row: it gives the focus back
    if (here.contains(event.relatedTarget) || isInMenu || !document.hasFocus()) return;
    afterPointerUp(() => here.contains(document.activeElement) || editor.left(rowKey));
  };
  const onFocus = (event: React.FocusEvent) => {
    const isHere = editor.state.get().focus?.key === rowKey;
    if (event.target === event.currentTarget ? !isHere || isOpen : isOpen && !isHere) {
      editor.state.update((state) => ({
        ...state,
        focus: { key: rowKey, caret: event.target === event.currentTarget ? "row" : "here" },
      }));
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (moves(event)) {
      event.preventDefault();
      void actions.moveBy(rowKey, event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "Escape" && event.target !== event.currentTarget && isOpen) {
      event.stopPropagation();
      editor.focus(rowKey, "row");
    } else if (event.target === event.currentTarget) onRowKey(event, rowKey, type, actions);
  };
  const onClick = (event: React.MouseEvent) => {
    if (isOpen || !block || isPressable(event.target) || !getSelection()?.isCollapsed) return;
    editor.focus(rowKey, isEditable(type) ? caretAt(event, block) : "row", partAt(event.target));
  };
  return (
    <div
      ref={row}
      className={classes.row}
      style={indent(depth)}
      role="group"
      aria-label={texts.types[type]}
      aria-describedby="blocks-hint"
      tabIndex={hasTab && !isOpen ? 0 : -1}
      data-key={rowKey}
      data-type={type}
      data-level={levelOf(type, draft?.content ?? block?.content ?? {})}
      data-open={isOpen || undefined}
      data-moving={isMoving || undefined}
      data-here={focus ? true : undefined}
      onBlur={onBlur}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <BlockTools rowKey={rowKey} type={type} hasTab={hasTab} actions={actions} onDrag={onDrag} />
      <div className={classes.content} onClick={onClick}>
        {draft ? (
          <BlockEditor draft={draft} focus={focus} actions={actions} />
        ) : (
          block && <Reading block={block} actions={actions} />
        )}
      </div>
    </div>
  );
});

/** Return the style that indents a row by its depth in the tree. */
export const indent = (depth: number) => ({ "--depth": depth }) as React.CSSProperties;

/** A block for reading, in which tasks can be ticked. */
export function Reading({ block, actions }: { block: Block; actions: PageActions | null }) {
  const { room } = useRoomContext();
  const isBlank = block.type === "paragraph" && !asText(block.type, block.content).trim();
  if (isBlank) return <div className={classes.blank} />;
  return (
    <BlockContent
      type={block.type}
      content={block.content}
      organizationId={room.organization_id}
      onTick={actions ? (index) => void actions.tick(block, index) : undefined}
    />
  );
}

const isArrow = (key: string): boolean => key === "ArrowUp" || key === "ArrowDown";
const moves = (event: React.KeyboardEvent): boolean =>
  isArrow(event.key) && event.shiftKey && (event.ctrlKey || event.altKey || event.metaKey);

function onRowKey(event: React.KeyboardEvent, key: string, type: Block["type"], actions: PageActions): void {
  const { editor } = actions;
  const acts: Record<string, () => void> = {
    Enter: () => (isEditable(type) ? editor.focus(key, "end") : actions.addText(key)),
    ArrowUp: () => void editor.step(key, -1, "row"),
    ArrowDown: () => void editor.step(key, 1, "row"),
    Backspace: () => void actions.remove(key),
    Delete: () => void actions.remove(key),
  };
  const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey);
  const act = isUndo
    ? () => void actions.undo()
    : event.ctrlKey || event.metaKey || event.altKey
      ? null
      : acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

const isPressable = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("a, button, input, summary, audio, video") !== null;

/** Return the item of a list, or the cell of a table, that was clicked. */
function partAt(target: EventTarget): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const part = target.closest("[data-key] li, [data-key] th, [data-key] td");
  const all = part?.closest("table, ul, ol")?.querySelectorAll(part.tagName === "LI" ? "li" : "th, td");
  return part && all ? [...all].indexOf(part) : undefined;
}

/** Return the position of a click in the text of a block. */
function caretAt(event: React.MouseEvent, block: Block): number | "end" {
  const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
  if (!range || partAt(event.target) !== undefined) return "end";
  const before = document.createRange();
  before.setStart(event.currentTarget, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const source = asText(block.type, block.content);
  return sourceOffset(block.type === "code" ? source : named(source).text, before.toString());
}

/**
 * Act once the mouse button or the finger is up and its click is over, or soon if none is down. What closes when a press
 * takes the focus away would otherwise move the page between the press and its click, which would hit something else.
 */
function afterPointerUp(act: () => void): void {
  if (!isPressed) return void setTimeout(act);
  addEventListener("pointerup", () => setTimeout(act), { once: true });
}
