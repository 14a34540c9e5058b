const MAX_COLUMNS = 50;
/** The content security policy reports inline styles, even in a document that is not shown. */
const STYLES = /<style[^]*?<\/style>| style=(?:"[^"]*"|'[^']*')/gi;

/** Return the cells of tab-separated text; null if it is not a table. */
export function rowsOfTabs(text: string): string[][] | null {
  const rows = text
    .replace(/\r\n?/g, "\n")
    .replace(/\n+$/, "")
    .split("\n")
    .map((line) => line.split("\t"));
  const isIndented = rows.every(([first]) => first === ""); // code
  return isIndented ? null : tableOf(rows);
}

/** Return the cells of the table that HTML consists of; null if there is anything else. */
export function rowsOfHtml(html: string): string[][] | null {
  const { body } = new DOMParser().parseFromString(html.replace(STYLES, ""), "text/html");
  const [table, another] = body.querySelectorAll("table");
  if (!table || another) return null;
  const rows = cellsOf(table);
  table.remove();
  for (const each of body.querySelectorAll("script, meta")) each.remove();
  return body.textContent.trim() ? null : tableOf(rows);
}

/** Return a Markdown table; the first row is its head, and columns of numbers are aligned to the right. */
export function markdownTable(rows: string[][]): string {
  const [head = [], ...others] = rows;
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rules = head.map((_, column) => (others.every((row) => isNumber(row[column])) ? "--:" : "---"));
  return [head, rules, ...others].map((row) => line(row.map(escaped))).join("\n");
}

/** Return the texts of the cells. The text of a cell over several columns or rows is in the first. */
function cellsOf(table: HTMLTableElement): string[][] {
  const rows: string[][] = [...table.rows].map(() => []);
  [...table.rows].forEach((row, at) => {
    let column = 0;
    for (const cell of row.cells) {
      while (rows[at]?.[column] !== undefined) column += 1;
      const width = Math.min(cell.colSpan, MAX_COLUMNS);
      for (const [down, line] of rows.slice(at, at + Math.max(cell.rowSpan, 1)).entries())
        for (let across = 0; across < width; across += 1)
          line[column + across] = down + across === 0 ? textOf(cell) : "";
      column += width;
    }
  });
  return rows;
}

function textOf(cell: Element): string {
  for (const each of cell.querySelectorAll("br")) each.replaceWith(" ");
  return cell.textContent;
}

/** Return the rows with trimmed cells; null if they are not a table: at least two rows, all of the same two columns or more. */
function tableOf(rows: string[][]): string[][] | null {
  const columns = rows[0]?.length ?? 0;
  const isTable = rows.length > 1 && columns > 1 && columns <= MAX_COLUMNS;
  if (!isTable || rows.some((row) => row.length !== columns)) return null;
  return rows.map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()));
}

const escaped = (cell: string): string => cell.replace(/\\(?=\|)|\|/g, "\\$&");

const isNumber = (cell: string | undefined): boolean =>
  cell !== undefined && /^[-+−(]?[$€£¥]?\s?\d[\d.,\s']*\s?[%€$£)]?$/.test(cell);
