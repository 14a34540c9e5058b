import { keep, kept } from "@/kit/storage";
import type { Named } from "@/model/markdown/mentions";

export interface Draft {
  text: string;
  named: Named;
}

const place = (roomId: string, rootId: string | null): string => `draft.${rootId ?? roomId}`;

/** What was written here and not sent. */
export function draftAt(roomId: string, rootId: string | null): Draft {
  try {
    const found = JSON.parse(kept(place(roomId, rootId))) as Partial<Draft>;
    return { text: String(found.text ?? ""), named: found.named ?? {} };
  } catch {
    return { text: "", named: {} };
  }
}

export function keepDraft(roomId: string, rootId: string | null, draft: Draft): void {
  keep(place(roomId, rootId), draft.text.trim() ? JSON.stringify(draft) : "");
}
