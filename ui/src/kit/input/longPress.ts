import { useEffect, useState, type MouseEvent, type TouchEvent } from "react";
import { useLatest } from "../data/useLatest";

const HOLD_MS = 450; // before the browser's own long press
const MAX_MOVE = 10; // px: more scrolls

/** What a long press leaves to the browser, such as the menu of a link. */
const OWN_PRESSES = "a, input, textarea, audio, video";

/** Handlers for an element that acts when a finger rests on it. An element inside with handlers of its own comes first. */
export function useLongPress(onPress: () => void) {
  const latest = useLatest(onPress);
  const [press] = useState(() => new LongPress(() => latest.current()));
  useEffect(() => press.stop, [press]);
  return press.handlers;
}

class LongPress {
  private timer = 0;
  private isDone = false;
  private start = { x: 0, y: 0 };

  constructor(private readonly act: () => void) {}

  readonly stop = () => window.clearTimeout(this.timer);

  readonly handlers = {
    "data-long-press": true, // text in it is not selected (app/touch.css)
    onTouchStart: (event: TouchEvent) => {
      this.stop();
      this.isDone = false;
      const touch = event.touches[0];
      if (!touch || event.touches.length > 1 || taken.has(event.nativeEvent) || !isOwnPress(event)) return;
      taken.add(event.nativeEvent);
      this.start = { x: touch.clientX, y: touch.clientY };
      this.timer = window.setTimeout(() => {
        this.isDone = true;
        this.act();
      }, HOLD_MS);
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      const { x, y } = this.start;
      if (touch && Math.hypot(touch.clientX - x, touch.clientY - y) > MAX_MOVE) this.stop();
    },
    onTouchEnd: (event: TouchEvent) => {
      this.stop();
      if (this.isDone && event.cancelable) event.preventDefault(); // it would click
    },
    onTouchCancel: this.stop,
    /** The browser's own long press, which selects text. */
    onContextMenu: (event: MouseEvent) => {
      if (this.isDone) event.preventDefault();
    },
  };
}

/** Return whether the press is the element's: not of a dialog that it opened, nor of the browser. */
function isOwnPress({ target, currentTarget }: TouchEvent): boolean {
  const pressed = target as Element;
  return currentTarget.contains(pressed) && !pressed.closest(OWN_PRESSES);
}

/** The touches whose long press an element inside has taken. */
const taken = new WeakSet<Event>();
