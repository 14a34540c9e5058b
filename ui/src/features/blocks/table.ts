/** Tables as Markdown: a paragraph that is a table and nothing else is edited cell by cell. */

export interface Table {
  rows: string[][];
  /** The line under the header, which says how each column is aligned. */
  marks: string[];
}

export const NEW_TABLE: Table = {
  rows: [
    ["", ""],
    ["", ""],
    ["", ""],
  ],
  marks: ["---", "---"],
};

/** Return the table that a text is, with the header as its first row; null if it is not one. */
export function tableIn(text: string): Table | null {
  const [header, marks, ...lines] = text.trim().split("\n").map(cellsOf);
  if (!header || !marks || marks.length !== header.length) return null;
  if (!marks.every((each) => /^:?-+:?$/.test(each)) || lines.some((each) => each === null)) return null;
  const rows = [header, ...lines].map((row) => header.map((_, at) => row?.[at] ?? ""));
  return { rows, marks };
}

export function tableText({ rows, marks }: Table): string {
  const [header = [], ...others] = rows;
  return [header, marks, ...others].map((row) => `| ${row.map(escaped).join(" | ")} |`).join("\n");
}

export function withCell(table: Table, row: number, column: number, text: string): Table {
  const rows = table.rows.map((cells, at) =>
    at === row ? cells.map((cell, nr) => (nr === column ? text.replaceAll("\n", " ") : cell)) : cells,
  );
  return { ...table, rows };
}

export function withRow({ rows, marks }: Table): Table {
  return { rows: [...rows, marks.map(() => "")], marks };
}

export function withColumn({ rows, marks }: Table): Table {
  return { rows: rows.map((row) => [...row, ""]), marks: [...marks, "---"] };
}

/** Without a row; the header and one row stay. */
export function withoutRow({ rows, marks }: Table, row: number): Table {
  return row === 0 || rows.length <= 2
    ? { rows, marks }
    : { rows: rows.filter((_, at) => at !== row), marks };
}

/** Without a column; one stays. */
export function withoutColumn({ rows, marks }: Table, column: number): Table {
  if (marks.length <= 1) return { rows, marks };
  const others = (cells: string[]) => cells.filter((_, at) => at !== column);
  return { rows: rows.map(others), marks: others(marks) };
}

/** Return the cells between the bars of a line; null if it is no line of a table. */
function cellsOf(line: string): string[] | null {
  const inside = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
  if (inside === undefined) return null;
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const escaped = (cell: string): string => cell.replaceAll("|", "\\|");
