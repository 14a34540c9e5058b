import { Store } from "./store";

export interface Said {
  text: string;
  trouble: boolean;
}

export const said = new Store<Said | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Say something in passing. */
export function say(text: string, { trouble = false } = {}): void {
  clearTimeout(timer);
  said.set({ text, trouble });
  timer = setTimeout(() => said.set(null), trouble ? 8000 : 3500);
}
