import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ReactElement,
  type Ref,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import classes from "./VirtualList.module.css";

interface Props {
  /** One element per row, with keys. */
  children: ReactElement[];
  /** Whether the list has just grown at its beginning. */
  grewAtStart: boolean;
  /** Where to start: at a row, or at the end. */
  startAt: number | null;
  label: string;
  onNearStart?: () => void;
  onNearEnd?: () => void;
  onAtEnd?: (isAtEnd: boolean) => void;
  keepMounted?: number[];
  ref?: Ref<ListHandle>;
}

export interface ListHandle {
  toEnd: () => void;
}

const NEAR = 1400;
const AT_END = 40;

/**
 * A list read from its end: only the lines in sight are in the page, growth at the beginning moves nothing, and a reader who is
 * at the end stays there.
 */
export function VirtualList(props: Props) {
  const { children, grewAtStart, startAt, label, onNearStart, onNearEnd, onAtEnd, keepMounted, ref } = props;
  const list = useRef<VirtualizerHandle>(null);
  const sticks = useRef(startAt === null);
  const count = children.length;

  const toEnd = useCallback(() => {
    sticks.current = true;
    list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [count]);
  useImperativeHandle(ref, () => ({ toEnd }), [toEnd]);

  const look = useCallback(() => {
    const here = list.current;
    if (!here || here.viewportSize === 0) return; // not measured yet: checked again when it is
    const below = here.scrollSize - here.scrollOffset - here.viewportSize;
    if (here.scrollOffset < NEAR) onNearStart?.();
    if (below < NEAR) onNearEnd?.();
    onAtEnd?.(below < AT_END);
    return below;
  }, [onNearStart, onNearEnd, onAtEnd]);

  useLayoutEffect(() => {
    if (startAt !== null) list.current?.scrollToIndex(startAt, { align: "center" });
    else list.current?.scrollToIndex(count - 1, { align: "end" });
    // the start is set once; another part of the history is another list
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useLayoutEffect(() => {
    if (sticks.current && !grewAtStart) list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [count, grewAtStart]);
  useEffect(() => {
    look();
  }, [count, look]);

  return (
    <div
      className={classes.scroller}
      role="log"
      aria-label={label}
      aria-live="off"
      tabIndex={0}
      data-messages
    >
      <div className={classes.spacer} />
      <Virtualizer
        ref={list}
        shift={grewAtStart}
        bufferSize={800}
        keepMounted={keepMounted}
        onScroll={() => {
          const below = look();
          if (below !== undefined) sticks.current = below < AT_END;
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
