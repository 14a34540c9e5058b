import { Menu } from "@mantine/core";
import { ArrowDown, ArrowUp, GripVertical, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { ignoreRevealingClick } from "@/kit/input/presses";
import type { BlockType } from "@/model/blocks/content";
import { blocks as texts } from "@/texts/blocks";
import classes from "./BlockTools.module.css";
import type { PageActions } from "./pageActions";
import { KIND_ICONS } from "./SlashMenu";
import { isEditable, type KindName } from "./typing";

interface Props {
  rowKey: string;
  type: BlockType;
  hasTab: boolean;
  actions: PageActions;
  onDrag: (event: React.PointerEvent, key: string) => void;
}

const TEXTS: KindName[] = [
  "paragraph",
  "heading1",
  "heading2",
  "heading3",
  "list",
  "numbered",
  "todo",
  "quote",
  "callout",
  "code",
];

/** What can be done with a block: add one below it; drag it, or open its menu, by its handle. */
export function BlockTools({ rowKey, type, hasTab, actions, onDrag }: Props) {
  const [isOpen, setOpen] = useState(false);
  const tab = hasTab ? 0 : -1;
  return (
    <div className={classes.tools} data-open={isOpen || undefined} onClickCapture={ignoreRevealingClick}>
      <button
        type="button"
        className={classes.add}
        tabIndex={tab}
        aria-label={texts.addBelow}
        title={texts.addBelow}
        onClick={() => actions.addText(rowKey)}
      >
        <Plus size={17} aria-hidden />
      </button>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        position="left-start"
        width={220}
        trapFocus
        keepMounted={false}
      >
        <Menu.Target>
          <button
            type="button"
            className={classes.handle}
            tabIndex={tab}
            aria-label={texts.actions(texts.types[type])}
            title={texts.dragHint}
            onPointerDown={(event) => onDrag(event, rowKey)}
          >
            <GripVertical size={17} aria-hidden />
          </button>
        </Menu.Target>
        {isOpen && <Actions rowKey={rowKey} type={type} actions={actions} />}
      </Menu>
    </div>
  );
}

function Actions({ rowKey, type, actions }: Pick<Props, "rowKey" | "type" | "actions">) {
  const { editor } = actions;
  const addAbove = () => {
    const rows = editor.rows();
    actions.addText(rows[rows.findIndex((each) => each.key === rowKey) - 1]?.key ?? null);
  };
  return (
    <Menu.Dropdown className={classes.menu}>
      {isEditable(type) && (
        <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => editor.focus(rowKey, "end")}>
          {texts.edit}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<ArrowUp size={15} aria-hidden />}
        onClick={() => void actions.moveBy(rowKey, -1)}
      >
        {texts.up}
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowDown size={15} aria-hidden />}
        onClick={() => void actions.moveBy(rowKey, 1)}
      >
        {texts.down}
      </Menu.Item>
      <Menu.Item leftSection={<Plus size={15} aria-hidden />} onClick={addAbove}>
        {texts.addAbove}
      </Menu.Item>
      <Menu.Item leftSection={<Plus size={15} aria-hidden />} onClick={() => actions.addText(rowKey)}>
        {texts.add}
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<Trash2 size={15} aria-hidden />}
        onClick={() => void actions.remove(rowKey)}
      >
        {texts.delete}
      </Menu.Item>
      {!["divider", "image", "file"].includes(type) && (
        <>
          <Menu.Divider />
          <Menu.Label>{texts.turnInto}</Menu.Label>
          {TEXTS.map((name) => {
            const Icon = KIND_ICONS[name];
            return (
              <Menu.Item
                key={name}
                leftSection={<Icon size={15} aria-hidden />}
                onClick={() => actions.turnInto(rowKey, name)}
              >
                {texts.kinds[name]}
              </Menu.Item>
            );
          })}
        </>
      )}
    </Menu.Dropdown>
  );
}
