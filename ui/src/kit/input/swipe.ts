import { useEffect } from "react";
import { useLatest } from "../data/useLatest";

export type Direction = "left" | "right" | "down";

const MIN_MOVE = 10; // px: less is a tap
const MIN_SWIPE = 72; // px
/** The edge of the screen belongs to the browser, which goes back from there. */
const EDGE = 24; // px

/** The swipe that the finger is making: the innermost element that it moves. */
let owner: HTMLElement | null = null;

/** Act when a finger swipes over an element. With `follows`, the element follows the finger. */
export function useSwipe(place: HTMLElement | null, toward: Direction, onSwipe: () => void, follows = true) {
  const latest = useLatest(onSwipe);
  useEffect(() => {
    if (!place) return;
    let start: { x: number; y: number } | null = null;
    const move = (to: number) => {
      if (follows) place.style.translate = toward === "down" ? `0 ${to}px` : `${to}px 0`;
    };
    const begin = ({ touches, target }: TouchEvent) => {
      const [touch] = touches;
      const isFree = touches.length === 1 && touch && !handlesSwipe(target as Element, place, toward);
      start = isFree && touch.clientX > EDGE ? { x: touch.clientX, y: touch.clientY } : null;
    };
    const follow = (event: TouchEvent) => {
      const [touch] = event.touches;
      if (!start || !touch) return;
      const { along, across } = movement(toward, touch.clientX - start.x, touch.clientY - start.y);
      if (owner === null && along > MIN_MOVE && along > 2 * Math.abs(across)) owner = place;
      else if (owner !== place && Math.max(Math.abs(along), Math.abs(across)) > MIN_MOVE) start = null;
      if (owner !== place) return;
      if (event.cancelable) event.preventDefault(); // it would scroll
      move(Math.max(along, 0) * (toward === "left" ? -1 : 1));
    };
    const end = ({ type, changedTouches }: TouchEvent) => {
      if (owner !== place) return;
      owner = null;
      const [touch] = changedTouches;
      if (!start || !touch) return;
      const { along } = movement(toward, touch.clientX - start.x, touch.clientY - start.y);
      const isDone = type === "touchend" && along > MIN_SWIPE;
      if (!isDone) place.style.translate = "";
      if (isDone) latest.current();
    };
    place.addEventListener("touchstart", begin, { passive: true });
    place.addEventListener("touchmove", follow, { passive: false });
    place.addEventListener("touchend", end);
    place.addEventListener("touchcancel", end);
    return () => {
      if (owner === place) owner = null;
      place.removeEventListener("touchstart", begin);
      place.removeEventListener("touchmove", follow);
      place.removeEventListener("touchend", end);
      place.removeEventListener("touchcancel", end);
    };
  }, [place, toward, follows, latest]);
}

/** Return how far a finger moved in the direction, and across it. */
function movement(toward: Direction, x: number, y: number): { along: number; across: number } {
  if (toward === "down") return { along: y, across: x };
  return { along: toward === "left" ? -x : x, across: y };
}

const OWN_SWIPES = "input[type=range], audio, video, textarea, [data-own-swipes]";

/** Return whether something between the element and the finger needs the swipe itself, to scroll. */
function handlesSwipe(target: Element, place: Element, toward: Direction): boolean {
  if (target.closest(OWN_SWIPES)) return true;
  for (let each: Element | null = target; each && each !== place.parentElement; each = each.parentElement) {
    if (toward === "down" ? each.scrollTop > 0 : scrollsSideways(each)) return true;
  }
  return false;
}

const scrollsSideways = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);
