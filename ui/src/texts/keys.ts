const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Return the name of a shortcut with Ctrl, or with ⌘ on a Mac: "Ctrl+Shift+X" or "⌘ Shift X". */
export const control = (...keys: string[]): string =>
  isMac ? ["⌘", ...keys].join(" ") : ["Ctrl", ...keys].join("+");
