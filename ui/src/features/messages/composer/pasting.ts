import type { Selected } from "@/model/writing/edits";
import { isInCode, replaceSelection } from "./formatting";
import { markdownTable, rowsOfHtml, rowsOfTabs } from "./tables";

const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>]+$/i;

/** Return the text after a link or a table is pasted; null if it is pasted as it is. */
export function pasted(selected: Selected, clipboard: DataTransfer): Selected | null {
  if (isInCode(selected.text.slice(0, selected.start))) return null;
  const text = clipboard.getData("text/plain");
  return linkPasted(selected, text.trim()) ?? tablePasted(selected, tableIn(clipboard));
}

/** Make the selected text a link to the pasted address, unless it is an address itself. */
export function linkPasted(selected: Selected, address: string): Selected | null {
  const { text, start, end } = selected;
  const label = text.slice(start, end);
  const isLabel = label.trim() !== "" && !label.includes("\n") && !ADDRESS.test(label.trim());
  if (!isLabel || !ADDRESS.test(address) || text.slice(0, start).endsWith("](")) return null;
  const target = address.replaceAll("(", "%28").replaceAll(")", "%29");
  return replaceSelection(selected, `[${label}](${target})`);
}

/** Return the rows of a sheet on the clipboard. */
export function tableIn(clipboard: DataTransfer): string[][] | null {
  const html = clipboard.getData("text/html");
  return html ? rowsOfHtml(html) : rowsOfTabs(clipboard.getData("text/plain"));
}

function tablePasted(selected: Selected, rows: string[][] | null): Selected | null {
  if (!rows) return null;
  const before = selected.text.slice(0, selected.start).replace(/[ \t]+$/, "");
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  return replaceSelection(selected, `${gap}${markdownTable(rows)}\n\n`);
}
