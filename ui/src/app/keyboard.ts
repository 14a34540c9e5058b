/**
 * Keep the application above the keyboard of a phone. Chromium resizes the page itself (`interactive-widget` in
 * index.html); Safari lays the keyboard over the page and scrolls it, so its height follows what remains visible.
 */
export function fitAboveKeyboard(): void {
  const seen = window.visualViewport;
  if (!seen) return;
  const fit = () => {
    const isCovered = seen.scale === 1 && seen.height < window.innerHeight - 1;
    const { style } = document.documentElement;
    if (isCovered) style.setProperty("--at-height", `${seen.height}px`);
    else style.removeProperty("--at-height");
    if (isCovered) window.scrollTo(0, 0);
  };
  seen.addEventListener("resize", fit);
  seen.addEventListener("scroll", fit);
}
