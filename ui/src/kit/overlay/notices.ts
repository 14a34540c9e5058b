import { Store } from "../data/store";

export interface NoticeAction {
  label: string;
  onAct: () => void;
}

export interface NoticeState {
  text: string;
  isError: boolean;
  action: NoticeAction | null;
}

/** The notice that is shown, if any. */
export const currentNotice = new Store<NoticeState | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

interface Options {
  isError?: boolean;
  /** A button next to the text, such as "Undo". */
  action?: NoticeAction | null;
}

/** Show a notice for a few seconds; errors and notices with an action stay longer. */
export function showNotice(text: string, { isError = false, action = null }: Options = {}): void {
  clearTimeout(timer);
  currentNotice.set({ text, isError, action });
  timer = setTimeout(hideNotice, action ? 10_000 : isError ? 8000 : 3500);
}

export function hideNotice(): void {
  clearTimeout(timer);
  currentNotice.set(null);
}
