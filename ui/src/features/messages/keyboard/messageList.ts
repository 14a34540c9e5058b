/**
 * A list of messages is one tab stop: Tab enters it at its current message, then goes through what that message contains,
 * and leaves the list. The keyboard moves between messages. This works on the DOM, because a list
 * mounts only the messages near the viewport.
 */
const LIST = "[data-messages]";
const ROW = "[data-row]";
const STOPS = "a[href], button, input, textarea, select, summary, audio, video, [tabindex]";

/** The message of each list that had the focus last. */
const lastFocused = new WeakMap<Element, string>();

const messagesOf = (list: Element) => [...list.querySelectorAll<HTMLElement>("article")];

/** Return the message that Tab enters a list at: the one focused last, or else the last visible one. */
function currentMessage(list: Element): HTMLElement | undefined {
  const messages = messagesOf(list);
  const { bottom } = list.getBoundingClientRect();
  return (
    messages.find((each) => each.id !== "" && each.id === lastFocused.get(list)) ??
    messages.findLast((each) => each.getBoundingClientRect().top < bottom) ??
    messages.at(-1)
  );
}

/** Return the message that shortcuts act on: the one with the focus, or else under the pointer. */
export const targetMessage = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>("article") ?? document.querySelector("article:hover");

/** Focus the next (1) or previous (-1) message. Without a focused one, focus the list's current message. */
export function moveFocus(step: 1 | -1): boolean {
  const focused = document.activeElement?.closest<HTMLElement>("article");
  const list = (focused ?? document.activeElement)?.closest(LIST) ?? document.querySelector(LIST);
  if (!list) return false;
  const messages = messagesOf(list);
  const next = focused ? messages[messages.indexOf(focused) + step] : currentMessage(list);
  next?.focus();
  return next !== undefined;
}

/** Leave a list one tab stop, and within its current message, what that contains. */
export function arrangeTabStops(list: HTMLElement, focused: Element | null): void {
  const current = currentMessage(list);
  if (!current) return;
  const row = current.closest(ROW) ?? current;
  const isInRow = row.contains(focused);
  list.tabIndex = -1;
  for (const each of list.querySelectorAll<HTMLElement>(STOPS)) {
    if (each === current) each.tabIndex = 0;
    else if (isInRow && row.contains(each)) restore(each);
    else remove(each);
  }
}

function remove(stop: HTMLElement): void {
  if (stop.tabIndex < 0) return;
  stop.dataset.tabStop = stop.getAttribute("tabindex") ?? "";
  stop.tabIndex = -1;
}

function restore(stop: HTMLElement): void {
  const { tabStop } = stop.dataset;
  if (tabStop === undefined) return;
  if (tabStop) stop.setAttribute("tabindex", tabStop);
  else stop.removeAttribute("tabindex");
  delete stop.dataset.tabStop;
}

globalThis.addEventListener?.("focusin", ({ target }) => {
  const message = (target as Element).closest("article");
  const list = message?.closest(LIST);
  if (message && list) lastFocused.set(list, message.id);
});

globalThis.addEventListener?.(
  "keydown",
  (event) => {
    if (event.key !== "Tab") return;
    const lists = document.querySelectorAll<HTMLElement>(`${LIST}[role=log]`);
    for (const list of lists) arrangeTabStops(list, document.activeElement);
  },
  true,
);
