import { ariaKeys } from "@/kit/input/keys";
import { SHORTCUTS, useShortcuts } from "@/kit/input/shortcuts";
import { targetMessage, moveFocus } from "./messageList";

/** The shortcuts that press a button of a message. */
export type MessageShortcut = "reply" | "react" | "edit" | "copyLink" | "delete";

/** Attributes of the button that a shortcut presses. */
export const pressedBy = (name: MessageShortcut) => ({
  "data-shortcut": name,
  "aria-keyshortcuts": ariaKeys(SHORTCUTS[name].keys[0]),
});

/** Press a button of the chosen message; without the button, the reader can't do it. */
function pressButton(name: MessageShortcut): boolean {
  const button = targetMessage()?.querySelector<HTMLElement>(`[data-shortcut=${name}]`);
  button?.click();
  return button !== null && button !== undefined;
}

/** In a thread, the field below its messages takes the reply. */
function focusReplyField(): boolean {
  const field = targetMessage()?.closest("section")?.querySelector<HTMLElement>("textarea");
  field?.focus();
  return field !== null && field !== undefined;
}

/** Letters move anywhere; arrows only from a message, because they scroll and choose elsewhere. */
const move = (step: 1 | -1) => (event: KeyboardEvent) =>
  event.key.startsWith("Arrow") && document.activeElement?.tagName !== "ARTICLE" ? false : moveFocus(step);

/** Move between messages and act on them with the keyboard. */
export function useMessageShortcuts(): void {
  useShortcuts({
    previousMessage: move(-1),
    nextMessage: move(1),
    reply: () => pressButton("reply") || focusReplyField(),
    react: () => pressButton("react"),
    edit: () => pressButton("edit"),
    copyLink: () => pressButton("copyLink"),
    delete: () => pressButton("delete"),
  });
}
