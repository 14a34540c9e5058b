import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type Key,
  type MouseEvent,
  type ReactElement,
  type Ref,
} from "react";
import { Virtualizer, type CustomItemComponentProps, type VirtualizerHandle } from "virtua";
import classes from "./ChatView.module.css";

interface Props {
  /** One element per row, with keys. */
  children: ReactElement[];
  /** Whether the list has just grown at its beginning. */
  grewAtStart: boolean;
  /** Whether the list ends with the newest row. Before the others are loaded, its end is no place to stay at. */
  hasNewest: boolean;
  /** Where to start: at a row, or at the end. */
  startAt: number | null;
  /** Whether the row to start at is shown at the top, with a little before it, or in the middle. */
  startAlign?: "start" | "center";
  /** A row of interest, for `onWatched`. */
  watched?: number | null;
  /** Called with whether the watched row is visible. */
  onWatched?: (inSight: boolean) => void;
  label: string;
  onNearStart?: () => void;
  onNearEnd?: () => void;
  onAtEnd?: (isAtEnd: boolean) => void;
  keepMounted?: number[];
  ref?: Ref<ListHandle>;
}

export interface ListHandle {
  toEnd: () => void;
  toRow: (index: number) => void;
}

const NEAR = 1400;
const AT_END = 40;
const SHOWN_BEFORE = 64;

/**
 * A virtualized list anchored at its end: only visible rows and the focused one are mounted, prepending does not
 * move the content, and the list stays at the newest row when rows are appended.
 */
export function VirtualList(props: Props) {
  const {
    children,
    grewAtStart,
    hasNewest,
    startAt,
    startAlign,
    label,
    onNearStart,
    onNearEnd,
    onAtEnd,
    keepMounted,
    ref,
  } = props;
  const { watched, onWatched } = props;
  const list = useRef<VirtualizerHandle>(null);
  const sticks = useRef(startAt === null);
  const count = children.length;
  const { focusedIndex, ...focusHandlers } = useFocusedRow(children);
  const mounted = [...(keepMounted ?? []), focusedIndex].filter((index) => index >= 0);

  const toEnd = useCallback(() => {
    sticks.current = true;
    list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [count]);
  const toRow = useCallback((index: number) => {
    sticks.current = false;
    list.current?.scrollToIndex(index, { align: "start", offset: -SHOWN_BEFORE });
  }, []);
  useImperativeHandle(ref, () => ({ toEnd, toRow }), [toEnd, toRow]);

  /** What the reader opens at the end stays in its place, and grows downward. */
  const stay = ({ target }: MouseEvent) => {
    if ((target as Element).closest("[data-grows]")) sticks.current = false;
  };
  /** Ask for what is missing near the reader. Return whether the newest row is visible, if that is known. */
  const look = useCallback(() => {
    const here = list.current;
    if (!here || here.viewportSize === 0) return; // not measured yet: checked again when it is
    const below = here.scrollSize - here.scrollOffset - here.viewportSize;
    if (here.scrollOffset < NEAR) onNearStart?.();
    if (below < NEAR) onNearEnd?.();
    onAtEnd?.(below < AT_END);
    if (watched !== null && watched !== undefined) onWatched?.(isInSight(here, watched));
    return hasNewest && below < AT_END;
  }, [hasNewest, onNearStart, onNearEnd, onAtEnd, watched, onWatched]);

  useLayoutEffect(() => {
    if (startAt !== null && startAlign === "start") toRow(startAt);
    else if (startAt !== null) list.current?.scrollToIndex(startAt, { align: "center" });
    else list.current?.scrollToIndex(count - 1, { align: "end" });
    // the start is set once; another part of the history is another list
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useLayoutEffect(() => {
    if (sticks.current && !grewAtStart) list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [count, grewAtStart]);
  useEffect(() => {
    if (look()) sticks.current = true; // all of it is visible
  }, [count, look]);

  return (
    <div
      className={classes.scroller}
      role="log"
      aria-label={label}
      aria-live="off"
      tabIndex={0}
      data-messages
      onClickCapture={stay}
      {...focusHandlers}
    >
      <div className={classes.spacer} />
      <Virtualizer
        ref={list}
        shift={grewAtStart}
        bufferSize={800}
        keepMounted={mounted}
        item={Item}
        onScroll={() => {
          sticks.current = look() ?? sticks.current;
        }}
        onResize={() => {
          if (sticks.current) list.current?.scrollToIndex(count - 1, { align: "end" });
          look();
        }}
      >
        {children}
      </Virtualizer>
    </div>
  );
}

function isInSight(list: VirtualizerHandle, index: number): boolean {
  const top = list.getItemOffset(index) - list.scrollOffset;
  return top > -list.getItemSize(index) && top < list.viewportSize;
}

/**
 * Return the index of the row with the focus, -1 without one. It stays mounted: with its element, the keyboard's place in the
 * page would be lost. When the row itself goes, the list gets the focus.
 */
function useFocusedRow(rows: ReactElement[]) {
  const [key, setKey] = useState<Key | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const focusedIndex = key === null ? -1 : rows.findIndex((each) => each.key === key);
  useEffect(() => {
    const isGone = key !== null && focusedIndex < 0;
    if (isGone && document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [key, focusedIndex]);
  return {
    focusedIndex,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      scroller.current = currentTarget;
      const index = target.closest<HTMLElement>("[data-row]")?.dataset.row;
      setKey(index === undefined ? null : (rows[Number(index)]?.key ?? null));
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget)) setKey(null);
    },
  };
}

/** A row with its index, which says where the focus is. */
function Item({ style, index, children, ref }: CustomItemComponentProps) {
  return (
    <div style={style} data-row={index} ref={ref}>
      {children}
    </div>
  );
}
