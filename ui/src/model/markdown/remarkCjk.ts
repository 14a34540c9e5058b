import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough";
import type { Processor } from "unified";

/** Read emphasis and deletions also next to punctuation in scripts without spaces. */
export function remarkCjk(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[] };
  (data.micromarkExtensions ??= []).push(cjkFriendlyExtension(), gfmStrikethroughCjkFriendly());
}
