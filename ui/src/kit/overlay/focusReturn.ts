import { useCallback, useLayoutEffect, useState } from "react";
import { isTouch } from "../input/touch";

/** What each open dialog, sheet and panel gives the focus back to. */
const openers = new WeakMap<Element, HTMLElement[]>();

/**
 * Return what to give the focus back to, the best first: the element that has it; the button of the menu that it is in, or
 * what opened the dialog that it is in, because both may close.
 */
function openersOf(focused: Element | null): HTMLElement[] {
  const found = focused instanceof HTMLElement && focused !== document.body ? [focused] : [];
  for (let each = focused; each; each = each.parentElement) {
    const name =
      each.getAttribute("role") === "menu" &&
      document.getElementById(each.getAttribute("aria-labelledby") ?? "");
    if (name) found.push(name);
    found.push(...(openers.get(each) ?? []));
  }
  return found;
}

/** Return where the focus goes if all that opened something is gone: an open dialog, the room's composer, or the page. */
function elsewhere(): HTMLElement[] {
  const dialogs = [...document.querySelectorAll<HTMLElement>("[role=dialog][aria-modal=true]")];
  const composer = isTouch() ? [] : document.querySelectorAll<HTMLElement>("[data-composer] textarea");
  return [...dialogs.reverse(), ...composer, ...document.querySelectorAll<HTMLElement>("#content")];
}

/** Focus an element. Return whether it can have the focus. */
function focus(element: HTMLElement): boolean {
  const isFocused = () => document.activeElement === element;
  element.focus({ preventScroll: true });
  if (isFocused()) return true;
  // The actions of a message are hidden while neither the pointer nor the focus is in it.
  element.closest<HTMLElement>("article")?.focus({ preventScroll: true });
  element.focus({ preventScroll: true });
  return isFocused();
}

/**
 * Give the focus back to where it was before the component was mounted, unless something else has taken it. Return a ref
 * for what the component shows, and a function that gives it back earlier.
 */
export function useFocusReturn() {
  const [opener] = useState(() => openersOf(document.activeElement));
  const giveBack = useCallback(() => [...opener, ...elsewhere()].find(focus), [opener]);
  useLayoutEffect(
    () => () =>
      // What is mounted in the same moment, such as a field, may take it first.
      queueMicrotask(() => {
        if (document.activeElement === document.body) giveBack();
      }),
    [giveBack],
  );
  const ref = useCallback((shown: Element | null) => void (shown && openers.set(shown, opener)), [opener]);
  return { ref, giveBack };
}
