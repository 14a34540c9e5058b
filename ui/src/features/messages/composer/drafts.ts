import { readStorage, writeStorage } from "@/kit/data/storage";
import type { Written } from "@/model/markdown/mentions";

export interface Draft extends Written {
  /** Of a post. */
  title?: string;
}

const place = (roomId: string, rootId: string | null): string => `draft.${rootId ?? roomId}`;

/** Return the unsent text of a room or thread. */
export function draftAt(roomId: string, rootId: string | null): Draft {
  try {
    const found = JSON.parse(readStorage(place(roomId, rootId))) as Partial<Draft>;
    return { title: found.title, text: String(found.text ?? ""), mentions: found.mentions ?? [] };
  } catch {
    return { text: "", mentions: [] };
  }
}

export function storeDraft(roomId: string, rootId: string | null, draft: Draft): void {
  writeStorage(place(roomId, rootId), draft.text.trim() || draft.title?.trim() ? JSON.stringify(draft) : "");
}
