/** The title of a post is the heading that its text starts with. */
const TITLE = /^# ([^\n]+)(?:\n+|$)/;

export function withTitle(title: string, text: string): string {
  const line = title.replace(/\s+/g, " ").trim();
  return line ? `# ${line}\n\n${text}`.trim() : text;
}

export function splitTitle(text: string): { title: string; text: string } {
  const [start, title] = TITLE.exec(text) ?? [];
  return start && title ? { title: title.trim(), text: text.slice(start.length) } : { title: "", text };
}
