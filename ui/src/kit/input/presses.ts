import type { MouseEvent } from "react";

/** Where the last press of a mouse, pen or finger began. */
let pressed: EventTarget | null = null;
globalThis.addEventListener?.("pointerdown", (event) => (pressed = event.target), true);

/**
 * Ignore a click on tools that were not visible when its press began. A touch shows tools that appear on hover, and then
 * clicks the one under the finger. Clicks without a press, as of the keyboard and of screen readers, count.
 */
export function ignoreRevealingClick(event: MouseEvent<HTMLElement>): void {
  const tools = event.currentTarget;
  const isInside = tools.contains(event.target as Node); // an opened menu or dialog is elsewhere in the document
  if (event.detail === 0 || !isInside || tools.contains(pressed as Node | null)) return;
  event.preventDefault();
  event.stopPropagation();
}
