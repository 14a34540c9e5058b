import { Store } from "./store";

export interface NoticeState {
  text: string;
  isError: boolean;
}

/** The notice that is shown, if any. */
export const currentNotice = new Store<NoticeState | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Show a notice for a few seconds; errors stay longer. */
export function showNotice(text: string, { isError = false } = {}): void {
  clearTimeout(timer);
  currentNotice.set({ text, isError });
  timer = setTimeout(() => currentNotice.set(null), isError ? 8000 : 3500);
}
