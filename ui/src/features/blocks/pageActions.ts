import { ApiError, messageOf } from "@/api/errors";
import { onSignedOut, queryClient } from "@/api/queryClient";
import { showNotice } from "@/kit/overlay/notices";
import { asText, textOf, withText, toggleItem, type Content } from "@/model/blocks/content";
import * as server from "@/model/blocks/page";
import type { Block } from "@/model/blocks/page";
import { moveBlock, withoutBlock, type Place } from "@/model/blocks/tree";
import { blocksKey } from "@/model/queryKeys";
import { named } from "@/model/writing/named";
import { blocks as texts } from "@/texts/blocks";
import { PageEditor } from "./pageEditor";
import type { Draft, Row } from "./rows";
import { isSame } from "./saving";
import { NEW_TABLE, tableText } from "./table";
import { hasText, isEmpty, KINDS, type Kind, type KindName } from "./typing";

const pages = new Map<string, PageActions>();
onSignedOut(() => pages.clear());

/** Return the page of a room, with what was written there and is not saved yet, also after it was left. */
export function pageOf(roomId: string): PageActions {
  const known = pages.get(roomId) ?? new PageActions(roomId);
  pages.set(roomId, known);
  return known;
}

const TEXT: Kind = { type: "paragraph", content: { text: "" } };

/** A deleted block, or one that was closed and said something else `before`. */
interface Undoable {
  block: Block;
  before?: Kind;
}

/** The actions on the page of a room. */
export class PageActions {
  readonly editor: PageEditor;
  private readonly undoable: Undoable[] = [];
  private moves: Promise<unknown> = Promise.resolve();

  constructor(private readonly roomId: string) {
    this.editor = new PageEditor({
      page: () => queryClient.getQueryData<Block[]>(blocksKey(roomId)) ?? [],
      create: (block, key) => server.createBlock(roomId, block, key),
      change: server.changeBlock,
      publish: server.publishBlock,
      edited: (block, before) => this.undoable.push({ block, before }),
    });
  }

  /** Begin an empty text under a row, or at the beginning of the page, and write in it. */
  addText(after: string | null, text = ""): void {
    this.editor.focus(this.editor.add(after, { type: "paragraph", content: { text } }), "start");
    const { focus } = this.editor.state.get();
    if (text && focus) void this.editor.save(focus.key);
  }

  /** Enter: the text before the caret stays, the text after it begins the next block. */
  split(draft: Draft, before: string, after: string): void {
    this.editor.write(draft.key, { content: withText(draft.type, before, draft.content) });
    this.addText(draft.key, after);
  }

  /** Enter at the end of a list. A list without items turns into a text. */
  endList(draft: Draft, content: Content): void {
    if (isEmpty(draft.type, content)) return this.turnInto(draft.key, "paragraph");
    this.editor.write(draft.key, { content });
    this.addText(draft.key);
  }

  /** Backspace at the beginning: turns a block into text, removes an empty one, or joins it with the one above. */
  joinAbove(draft: Draft): void {
    const { key, type, content } = draft;
    if (type !== "paragraph") return this.turnInto(key, "paragraph");
    const rows = this.editor.rows();
    const above = rows[rows.findIndex((each) => each.key === key) - 1];
    const text = textOf(content);
    if (text && !(above && hasText(typeOf(above)))) return;
    if (above) this.editor.focus(above.key, caretOf(above));
    const joined = above && this.editor.find(above.key);
    if (text && joined) {
      const whole = asText(joined.type, joined.content) + text;
      this.editor.write(joined.key, { content: withText(joined.type, whole, joined.content) });
    }
    void this.remove(key, { isQuiet: true });
  }

  /** Choose a type while writing: turn an empty block into it, or add it below a text. */
  choose(draft: Draft, name: KindName, rest: string): void {
    const isShortcut = !textOf(draft.content).includes("/");
    if (!rest.trim() || isShortcut) {
      this.editor.write(draft.key, kindOf(name, rest));
      return this.afterChoice(draft.key, name);
    }
    this.editor.write(draft.key, { content: withText(draft.type, rest.trimEnd(), draft.content) });
    const key = this.editor.add(draft.key, kindOf(name, ""));
    this.afterChoice(key, name);
  }

  /** Turn a block into another type, with its text. */
  turnInto(key: string, name: KindName): void {
    this.editor.focus(key, "end");
    const draft = this.editor.find(key);
    if (draft) this.editor.write(key, kindOf(name, asText(draft.type, draft.content)));
    this.afterChoice(key, name);
  }

  /** Tick a task, on the screen immediately. */
  async tick(block: Block, index: number): Promise<void> {
    if (block.type !== "todo") return;
    const content = toggleItem(block.content, index);
    server.updatePage(this.roomId, (page) =>
      page.map((each) =>
        each.block_id === block.block_id && each.type === "todo" ? { ...each, content } : each,
      ),
    );
    await this.attempt(() => server.changeBlock(block, { content }));
  }

  /** Move a block among its siblings. */
  async moveBy(key: string, by: 1 | -1): Promise<void> {
    await this.editor.save(key);
    const block = this.rowOf(key)?.block;
    if (!block) return;
    const position = block.position + by;
    const siblings = this.page.filter((each) => each.parent_block_id === block.parent_block_id).length;
    if (position < 0 || position >= siblings) return;
    showNotice(texts.moved(position + 1, siblings));
    await this.move(block, { parentId: block.parent_block_id, position });
  }

  /** Move a block, on the screen immediately. A change of its text by someone else meanwhile does not matter. */
  async move(block: Block, place: Place): Promise<void> {
    if (block.parent_block_id === place.parentId && block.position === place.position) return;
    server.updatePage(this.roomId, (page) => moveBlock(page, block, place));
    const move = async () => {
      const now = this.page.find((each) => each.block_id === block.block_id) ?? block;
      const moved = await server.changeBlock(now, { place }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== "block_changed") throw error;
        return server.changeBlock((error.body as { block: Block }).block, { place });
      });
      this.editor.moved(moved);
      return moved;
    };
    this.moves = this.moves.then(() => this.attempt(move)); // one after the other, in the order of the keys
    await this.moves;
  }

  /** Delete a block, with a way back for a while. */
  async remove(key: string, { isQuiet = false } = {}): Promise<void> {
    const row = this.rowOf(key);
    if (!row) return;
    const isHere = this.editor.state.get().focus?.key === key;
    if (isHere && !this.editor.step(key, 1, "row") && !this.editor.step(key, -1, "row"))
      this.editor.focus(null);
    await (isQuiet ? this.editor.saved(key) : this.editor.save(key));
    const block = this.rowOf(key)?.draft?.block ?? this.rowOf(key)?.block ?? row.block;
    this.editor.drop(key);
    if (!block) return;
    server.updatePage(this.roomId, (page) => withoutBlock(page, block.block_id));
    try {
      await server.deleteBlock(block);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404)
        showNotice(messageOf(error), { isError: true });
      return server.readAgain(this.roomId);
    }
    const entry = { block };
    this.undoable.push(entry);
    if (!isQuiet)
      showNotice(texts.deleted, { action: { label: texts.undo, onAct: () => void this.undo(entry) } });
  }

  /** Undo a deletion, or what was written in a block that is closed: the last one, if none is given. */
  async undo(entry: Undoable | undefined = this.undoable.at(-1)): Promise<void> {
    const at = entry ? this.undoable.lastIndexOf(entry) : -1;
    if (!entry || at < 0) return;
    this.undoable.splice(at, 1);
    const { block, before } = entry;
    const restored = await this.attempt(() =>
      before ? server.changeBlock(this.currentOf(block), before) : server.restoreBlock(block),
    );
    if (!restored) return;
    if (!before) server.readAgain(this.roomId); // with the blocks under it
    showNotice(before ? texts.undone : texts.restored);
    this.editor.focus(this.editor.keyOf(restored.block_id), "row");
  }

  private afterChoice(key: string, name: KindName): void {
    if (name === "divider") return this.addText(key);
    this.editor.focus(key, name === "table" ? "start" : "end");
  }

  private async attempt(work: () => Promise<Block>): Promise<Block | null> {
    try {
      const block = await work();
      server.publishBlock(block);
      return block;
    } catch (error) {
      showNotice(messageOf(error), { isError: true });
      server.readAgain(this.roomId);
      return null;
    }
  }

  /** Return the block as it is on the page, unless someone has changed what it says: then the server refuses. */
  private currentOf(block: Block): Block {
    const current = this.page.find((each) => each.block_id === block.block_id);
    return current && isSame(current, block) ? current : block;
  }

  private get page(): Block[] {
    return queryClient.getQueryData<Block[]>(blocksKey(this.roomId)) ?? [];
  }

  private rowOf(key: string): Row | undefined {
    return this.editor.rows().find((each) => each.key === key);
  }
}

function kindOf(name: KindName, text: string): Kind {
  const { type, content } = KINDS[name];
  if (name === "table") return { type, content: { text: text.trim() || tableText(NEW_TABLE) } };
  if (type === "image" || type === "file") return { type, content: {} };
  return { type, content: withText(type, text, content) };
}

const typeOf = (row: Row) => row.draft?.type ?? row.block?.type ?? TEXT.type;

/** Return where the caret goes in the row above: after its text, before anything is joined to it. */
function caretOf(row: Row): number | "end" | "row" {
  const { type, content } = row.draft ?? row.block ?? TEXT;
  if (hasText(type)) return named(asText(type, content)).text.length;
  return ["list", "todo", "code"].includes(type) ? "end" : "row";
}
