import { ApiError, messageOf } from "@/api/errors";
import { sameContent } from "@/model/blocks/content";
import type { Block } from "@/model/blocks/page";
import type { Draft } from "./rows";
import { isEmpty, type Kind } from "./typing";

type Change = Partial<Draft>;

/** Return whether a draft has something that the server does not have. */
export function isUnsaved({ saved, type, content }: Draft): boolean {
  return saved ? saved.type !== type || !sameContent(saved.content, content) : !isEmpty(type, content);
}

/** Return the changes to a draft once the server has answered with the block. */
export function afterSaving(sent: Draft, block: Block): Change {
  return { block, saved: { type: sent.type, content: sent.content }, problem: "" };
}

/**
 * Return the draft's next state after a failed save, and whether to save again. A block that was only moved is no
 * conflict; a block that someone deleted during editing becomes a new one, so that no text is lost.
 */
export function afterError(draft: Draft, error: unknown): { change: Change; again: boolean } {
  if (error instanceof ApiError && error.code === "block_changed") {
    const theirs = (error.body as { block: Block }).block;
    if (isSame(theirs, draft)) return { change: afterSaving(draft, theirs), again: true };
    if (draft.block && isSame(theirs, draft.block)) return { change: { block: theirs }, again: true };
    return { change: { theirs }, again: false };
  }
  if (error instanceof ApiError && error.code === "block_not_found") {
    return { change: { block: null, saved: null }, again: true };
  }
  return { change: { problem: messageOf(error) }, again: false };
}

/** Return what a newer version of the block changes in a draft: a draft without edits follows it. */
export function applyRemoteChange(draft: Draft, news: Block | undefined): Change | "gone" | null {
  if (!draft.block || draft.theirs) return null;
  if (!news) return isUnsaved(draft) ? null : "gone";
  if (news.version <= draft.block.version) return null;
  if (isSame(news, draft.block)) return { block: news };
  if (isUnsaved(draft)) return null;
  const { type, content } = news;
  return { block: news, type, content, before: { type, content }, saved: { type, content } };
}

export function isSame(one: Kind, other: Kind): boolean {
  return one.type === other.type && sameContent(one.content, other.content);
}
