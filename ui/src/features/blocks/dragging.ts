import { useRef, useState } from "react";

/** Before which row a dragged block would land, and where to draw the line for it. */
export interface DropTarget {
  index: number;
  top: number;
}

interface Options {
  /** The element that scrolls; its rows have the attribute `data-key`. */
  scroller: React.RefObject<HTMLElement | null>;
  /** The element that the line is drawn in. */
  page: React.RefObject<HTMLElement | null>;
  onDrop: (key: string, index: number) => void;
}

const STARTS_AFTER = 5;
const EDGE = 60;

/** Drag rows by a handle, with a mouse, a pen or a finger. A press that does not move remains a click. */
export function useDragging({ scroller, page, onDrop }: Options) {
  const [target, setLanding] = useState<DropTarget | null>(null);
  const [moving, setMoving] = useState<string | null>(null);
  const current = useRef<DropTarget | null>(null);

  const start = (event: React.PointerEvent, key: string) => {
    if (event.button !== 0) return;
    const handle = event.currentTarget as HTMLElement;
    const from = { x: event.clientX, y: event.clientY };
    let isDragging = false;
    let timer = 0;
    let y = from.y;
    handle.setPointerCapture(event.pointerId);

    const show = () => {
      current.current = page.current && dropTargetAt(page.current, y);
      setLanding(current.current);
    };
    const scroll = () => {
      const box = scroller.current?.getBoundingClientRect();
      const by = box && y < box.top + EDGE ? -9 : box && y > box.bottom - EDGE ? 9 : 0;
      if (by) scroller.current?.scrollBy(0, by);
      if (by) show();
      timer = requestAnimationFrame(scroll);
    };
    const move = (moved: PointerEvent) => {
      y = moved.clientY;
      if (!isDragging && Math.hypot(moved.clientX - from.x, y - from.y) < STARTS_AFTER) return;
      if (!isDragging) {
        isDragging = true;
        setMoving(key);
        timer = requestAnimationFrame(scroll);
      }
      show();
    };
    const end = (isDropped: boolean) => {
      cancelAnimationFrame(timer);
      listeners.abort();
      if (isDragging) addEventListener("click", stopClick, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stopClick, { capture: true }));
      if (isDragging && isDropped && current.current) onDrop(key, current.current.index);
      setMoving(null);
      setLanding(null);
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    handle.addEventListener("pointermove", move, { signal });
    handle.addEventListener("pointerup", () => end(true), { signal });
    handle.addEventListener("pointercancel", () => end(false), { signal });
    addEventListener("keydown", (pressed) => pressed.key === "Escape" && end(false), { signal });
  };
  return { landing: target, moving, start };
}

function stopClick(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Return the gap between rows that is nearest to a height on the screen. */
export function dropTargetAt(page: HTMLElement, y: number): DropTarget {
  const top = page.getBoundingClientRect().top;
  const rows = [...page.querySelectorAll<HTMLElement>("[data-key]")].map((row) =>
    row.getBoundingClientRect(),
  );
  const index = rows.findIndex((row) => y < row.top + row.height / 2);
  const at = index < 0 ? rows.length : index;
  const edge = rows[at]?.top ?? rows.at(-1)?.bottom ?? top;
  return { index: at, top: edge - top };
}
