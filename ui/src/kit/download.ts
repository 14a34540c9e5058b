/** Save text as a file. It begins with a byte-order mark, without which Excel doesn't read it as UTF-8. */
export function downloadText(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob(["\uFEFF", text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
