let isPressed = false;
globalThis.addEventListener?.("pointerdown", () => (isPressed = true), true);
for (const end of ["pointerup", "pointercancel"]) {
  globalThis.addEventListener?.(end, () => (isPressed = false), true);
}

/**
 * Act once the mouse button or the finger is up and its click is over, or soon if none is down. What closes when a press
 * takes the focus away would otherwise move the page between the press and its click, which would hit something else.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) return void setTimeout(act);
  addEventListener("pointerup", () => setTimeout(act), { once: true });
}
