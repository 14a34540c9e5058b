import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { blocks as texts } from "@/texts/blocks";
import classes from "./TableField.module.css";
import { MentionField } from "./MentionField";
import type { Focus } from "./pageEditor";
import { withCell, withColumn, withoutColumn, withoutRow, withRow, type Table } from "./table";

interface Props {
  table: Table;
  focus: Focus | null;
  onChange: (table: Table) => void;
  onBackspace: () => void;
  onStep: (by: 1 | -1) => void;
}

/** A table to edit cell by cell. Enter goes to the row below, and makes it at the end of the table. */
export function TableField({ table, focus, onChange, onBackspace, onStep }: Props) {
  const [inside, setInside] = useState<{ row: number; column: number; focus: Focus } | null>(null);
  const [seen, setSeen] = useState(focus);
  const last = useRef({ row: 1, column: 0 });
  if (seen !== focus) {
    setSeen(focus);
    setInside(null);
  }
  const isAt = (row: number, column: number): Focus | null => {
    if (!focus || focus.caret === "row" || focus.caret === "here") return null;
    if (inside) return inside.row === row && inside.column === column ? inside.focus : null;
    const columns = table.marks.length;
    const part = focus.part ?? (focus.caret === "end" ? columns * (table.rows.length - 1) : 0);
    return row * columns + column === part ? focus : null;
  };
  const go = (row: number, column: number, caret: Focus["caret"]) =>
    setInside({ row, column, focus: { key: "", caret } });
  const step = (row: number, column: number, by: 1 | -1) =>
    table.rows[row + by] ? go(row + by, column, "end") : onStep(by);
  const enter = (row: number, column: number) => {
    if (!table.rows[row + 1]) onChange(withRow(table));
    go(row + 1, column, "end");
  };
  const isBlank = table.rows.every((row) => row.every((cell) => !cell));
  const cell = (row: number, column: number) => (
    <MentionField
      value={table.rows[row]?.[column] ?? ""}
      label={row === 0 ? texts.header(column + 1) : texts.tableCell(row, column + 1)}
      focus={isAt(row, column)}
      onChange={(text) => onChange(withCell(table, row, column, text))}
      onEnter={() => enter(row, column)}
      onBackspace={() => isBlank && row === 0 && column === 0 && onBackspace()}
      onStep={(by) => step(row, column, by)}
    />
  );
  return (
    <div>
      <div className={classes.scroller}>
        <table className={classes.table}>
          <tbody>
            {table.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((_, column) => {
                  const Cell = row === 0 ? "th" : "td";
                  return (
                    <Cell key={column} onFocus={() => (last.current = { row, column })}>
                      {cell(row, column)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.tools}>
        <ActionIcon
          variant="default"
          aria-label={texts.addRow}
          title={texts.addRow}
          onClick={() => {
            onChange(withRow(table));
            go(table.rows.length, 0, "end");
          }}
        >
          <Plus size={15} aria-hidden />
        </ActionIcon>
        <Menu position="bottom-start">
          <Menu.Target>
            <ActionIcon variant="default" aria-label={texts.tableActions} title={texts.tableActions}>
              <Ellipsis size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onChange(withRow(table))}>{texts.addRow}</Menu.Item>
            <Menu.Item onClick={() => onChange(withColumn(table))}>{texts.addColumn}</Menu.Item>
            <Menu.Item
              disabled={table.rows.length <= 2}
              onClick={() => onChange(withoutRow(table, Math.max(last.current.row, 1)))}
            >
              {texts.removeRow}
            </Menu.Item>
            <Menu.Item
              disabled={table.marks.length <= 1}
              onClick={() => onChange(withoutColumn(table, last.current.column))}
            >
              {texts.removeColumn}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </div>
  );
}
