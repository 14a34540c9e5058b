/** The unread badge: the number of messages for the reader, and whether there are others (a dot). */
export interface Badge {
  count: number;
  hasMore: boolean;
}

const NAME = "Atrium";
let page = "";
let badge: Badge = { count: 0, hasMore: false };

/** Name the page in the title of the tab. */
export function setTitle(title: string): void {
  page = title;
  document.title = titleOf(page, badge);
}

/** Show the badge in the title and the icon of the tab. */
export function setBadge(now: Badge): void {
  if (now.count === badge.count && now.hasMore === badge.hasMore) return;
  badge = now;
  document.title = titleOf(page, badge);
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = iconOf(badge);
}

export function titleOf(title: string, { count, hasMore }: Badge): string {
  const mark = count > 0 ? `(${count > 99 ? "99+" : count}) ` : hasMore ? "• " : "";
  return `${mark}${title ? `${title} · ` : ""}${NAME}`;
}

/** Return the URL of the icon: the application's own, or the same with a badge. */
export function iconOf({ count, hasMore }: Badge): string {
  if (count === 0 && !hasMore) return "/icon.svg";
  const house =
    '<rect width="32" height="32" rx="8" fill="#4353d6"/><path d="M8 24V12l8-5 8 5v12h-5v-7a3 3 0 0 0-6 0v7z" fill="#fff"/>';
  const text = count > 9 ? "9+" : String(count);
  const badge =
    count > 0
      ? `<circle cx="21" cy="21" r="11" fill="#d92d20"/><text x="21" y="26.5" font-family="system-ui,sans-serif" font-size="${text.length > 1 ? 13 : 16}" font-weight="700" text-anchor="middle" fill="#fff">${text}</text>`
      : '<circle cx="25" cy="25" r="7" fill="#d92d20" stroke="#fff" stroke-width="2"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${house}${badge}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
