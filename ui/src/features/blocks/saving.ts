import { ApiError, messageOf } from "@/api/errors";
import { sameContent } from "@/model/blocks/content";
import type { Block } from "@/model/blocks/page";
import type { Draft } from "./rows";
import { isEmpty, type Kind } from "./typing";

type Change = Partial<Draft>;

/** Whether a draft has something that the server does not have. */
export function isUnsaved({ saved, type, content }: Draft): boolean {
  return saved ? saved.type !== type || !sameContent(saved.content, content) : !isEmpty(type, content);
}

/** The changes to a draft once the server has answered with the block. */
export function afterSaving(sent: Draft, block: Block): Change {
  return { block, saved: { type: sent.type, content: sent.content }, problem: "" };
}

/**
 * What an error of saving means for a draft, and whether to save again. Someone who only moved the block is in nobody's
 * way; a block that someone deleted while it was written in becomes a new one, so that no text is lost.
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

/** What a newer version of the block on the page means for a draft: one that nobody writes in follows it. */
export function afterNews(draft: Draft, news: Block | undefined): Change | "gone" | null {
  if (!draft.block || draft.theirs) return null;
  if (!news) return isUnsaved(draft) ? null : "gone";
  if (news.version <= draft.block.version) return null;
  if (isSame(news, draft.block)) return { block: news };
  if (isUnsaved(draft)) return null;
  const { type, content } = news;
  return { block: news, type, content, saved: { type, content } };
}

function isSame(one: Kind, other: Kind): boolean {
  return one.type === other.type && sameContent(one.content, other.content);
}
