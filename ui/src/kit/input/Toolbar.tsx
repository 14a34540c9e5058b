import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

interface Props {
  label: string;
  className?: string;
  children: ReactNode;
}

/** Buttons with one tab stop between them: the arrow keys move the focus. */
export function Toolbar({ label, className, children }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const stop = useRef<HTMLButtonElement | null>(null);
  const settle = () => {
    const all = buttonsOf(bar.current);
    if (!stop.current || !all.includes(stop.current)) stop.current = all[0] ?? null;
    for (const each of all) each.tabIndex = each === stop.current ? 0 : -1;
  };
  // Later, because whether a button is visible is known only after a layout, which each toolbar of a page would force.
  useEffect(() => {
    const timer = setTimeout(settle);
    return () => clearTimeout(timer);
  });
  const move = (event: KeyboardEvent) => {
    const all = buttonsOf(bar.current);
    const at = all.indexOf(event.target as HTMLButtonElement); // not in what a button opened
    const next = at < 0 ? undefined : all[indexAfter(event.key, at, all.length)];
    if (!next) return;
    event.preventDefault();
    stop.current = next;
    settle();
    next.focus();
  };
  return (
    <div ref={bar} role="toolbar" aria-label={label} className={className} onKeyDown={move}>
      {children}
    </div>
  );
}

/** Return the buttons that can be pressed. */
function buttonsOf(bar: HTMLElement | null): HTMLButtonElement[] {
  const all = [...(bar?.querySelectorAll("button") ?? [])];
  return all.filter((each) => !each.disabled && each.offsetParent !== null);
}

function indexAfter(key: string, at: number, count: number): number {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % count;
    case "ArrowLeft":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
