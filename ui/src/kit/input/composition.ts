/**
 * Keep keys that belong to an input method from all handlers: Enter chooses a word, Escape dismisses it, arrows walk
 * through the candidates. Safari ends the composition before it reports the key that ended it; only the key code, 229,
 * still says so.
 */
globalThis.addEventListener?.(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  },
  true,
);
