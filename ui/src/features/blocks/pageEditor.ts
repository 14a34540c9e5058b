import { ApiError } from "@/api/errors";
import { Store } from "@/kit/data/store";
import type { Block, BlockChange } from "@/model/blocks/page";
import type { Place } from "@/model/blocks/tree";
import { placeAfter, rowsOf, type Draft, type Row } from "./rows";
import { afterError, applyRemoteChange, afterSaving, isSame, isUnsaved } from "./saving";
import type { Kind } from "./typing";

/** Where the keyboard is: in the text of a block ("here": the caret stays), or on the block as a whole ("row"). */
export interface Focus {
  key: string;
  /** A number is a place in the text with names. */
  caret: number | "start" | "end" | "here" | "row";
  /** The item of a list, or the cell of a table in reading order, that the caret is in. */
  part?: number;
}

export interface State {
  drafts: Draft[];
  focus: Focus | null;
}

/** The server's side of the page. */
export interface PageServer {
  page: () => Block[];
  create: (block: Kind & { place: Place }, key: string) => Promise<Block>;
  change: (block: Block, change: BlockChange) => Promise<Block>;
  publish: (block: Block) => void;
  /** A block was closed that said something else `before` it was opened. */
  edited: (block: Block, before: Kind) => void;
}

const SAVE_AFTER_MS = 900;

/**
 * The blocks that someone is writing: opens them, saves them after a pause and when they are left, and keeps what could
 * not be saved. What others do to the page changes no block that is being written in.
 */
export class PageEditor {
  readonly state = new Store<State>({ drafts: [], focus: null });
  private readonly keys = new Map<string, string>();
  private readonly saves = new Map<string, Promise<void>>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly creations = new Map<string, { key: string; sent: Draft; place: Place }>();
  private made = 0;

  constructor(private readonly server: PageServer) {}

  /** The key of a block's row; a block that was created here keeps that of its draft. */
  readonly keyOf = (blockId: string): string => this.keys.get(blockId) ?? blockId;

  rows(): Row[] {
    return rowsOf(this.server.page(), this.state.get().drafts, this.keyOf);
  }

  find(key: string): Draft | undefined {
    return this.state.get().drafts.find((each) => each.key === key);
  }

  /** Move the keyboard to a row, or away from the page. A block is opened if the caret goes into its text. */
  focus(key: string | null, caret: Focus["caret"] = "end", part?: number): void {
    const row = key === null ? undefined : this.rows().find((each) => each.key === key);
    if (row?.block && !row.draft && caret !== "row") this.open(row.key, row.block);
    const left = this.state.get().focus;
    this.state.update((state) => ({ ...state, focus: row ? { key: row.key, caret, part } : null }));
    if (left && (left.key !== row?.key || caret === "row")) void this.settle(left.key);
  }

  /** Move the keyboard `by` rows up or down; return whether there is a row. */
  step(key: string, by: number, caret: Focus["caret"]): boolean {
    const rows = this.rows();
    const next = rows[rows.findIndex((each) => each.key === key) + by];
    if (next) this.focus(next.key, caret);
    return !!next;
  }

  /** Begin a new block under a row, or at the beginning of the page. Return its key. */
  add(after: string | null, { type, content }: Kind, more: Partial<Draft> = {}): string {
    const key = `new-${(this.made += 1)}`;
    const empty = { block: null, before: null, saved: null, theirs: null, problem: "", upload: null };
    this.set((drafts) => [...drafts, { ...empty, key, after, type, content, ...more }]);
    return key;
  }

  /** Change what a draft says, and save it after a pause. */
  write(key: string, change: Partial<Kind>): void {
    this.patch(key, { ...change, problem: "" });
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => void this.save(key), SAVE_AFTER_MS),
    );
  }

  /** Save a draft now. Changes that are made meanwhile are saved too. */
  save(key: string): Promise<void> {
    clearTimeout(this.timers.get(key));
    const running = this.saves.get(key) ?? this.saveUntilDone(key).finally(() => this.saves.delete(key));
    this.saves.set(key, running);
    return running;
  }

  /** Wait until a save that is running has ended. */
  async saved(key: string): Promise<void> {
    clearTimeout(this.timers.get(key));
    await this.saves.get(key);
  }

  /** Save and close a row that has lost the focus. */
  left(key: string): void {
    if (this.state.get().focus?.key === key) this.focus(null);
    else void this.settle(key);
  }

  /** Forget a draft without saving it. Rows that follow it then follow what it followed. */
  drop(key: string): void {
    clearTimeout(this.timers.get(key));
    const after = this.find(key)?.after ?? null;
    this.set((drafts) =>
      drafts
        .filter((each) => each.key !== key)
        .map((each) => (each.after === key && !this.isOnPage(key) ? { ...each, after } : each)),
    );
  }

  /** Replace the other person's version, or take it over. */
  resolve(key: string, keep: "mine" | "theirs"): void {
    const theirs = this.find(key)?.theirs;
    if (!theirs) return;
    const { type, content } = theirs;
    const taken = keep === "theirs" ? { type, content, saved: { type, content } } : {};
    this.patch(key, { block: theirs, theirs: null, before: { type, content }, ...taken });
    this.server.publish(theirs);
    void this.save(key);
  }

  /** Follow changes of others to the page. */
  follow(): void {
    const page = new Map(this.server.page().map((each) => [each.block_id, each]));
    for (const draft of this.state.get().drafts) {
      const change = draft.block && applyRemoteChange(draft, page.get(draft.block.block_id));
      if (change === "gone") this.drop(draft.key);
      else if (change) this.patch(draft.key, change);
    }
  }

  /** Take over a version of the block that a move made. */
  moved(block: Block): void {
    const key = this.keyOf(block.block_id);
    if (this.find(key)?.block) this.patch(key, { block });
  }

  patch(key: string, change: Partial<Draft>): void {
    this.set((drafts) => drafts.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }

  saveAll(): void {
    for (const { key } of this.state.get().drafts) void this.save(key);
  }

  /** Save and close everything, because the page is left. What cannot be saved stays. */
  close(): void {
    this.state.update((state) => ({ ...state, focus: null }));
    for (const { key } of this.state.get().drafts) void this.settle(key);
  }

  get hasUnsaved(): boolean {
    return this.state.get().drafts.some((each) => isUnsaved(each) || each.upload !== null);
  }

  private open(key: string, block: Block): void {
    const { type, content } = block;
    const kind = { type, content };
    const draft = { key, block, ...kind, before: kind, saved: kind, after: this.above(key) };
    this.set((drafts) => [...drafts, { ...draft, theirs: null, problem: "", upload: null }]);
  }

  private above(key: string): string | null {
    const rows = this.rows();
    return rows[rows.findIndex((each) => each.key === key) - 1]?.key ?? null;
  }

  /** Save a draft, and close it unless the keyboard is in it or something is left to do. */
  async settle(key: string): Promise<void> {
    await this.save(key);
    const draft = this.find(key);
    const isBusy = !draft || draft.theirs || draft.problem || draft.upload || isUnsaved(draft);
    const { focus } = this.state.get();
    if (isBusy || (focus?.key === key && focus.caret !== "row")) return;
    const { block, before } = draft;
    if (block && before && !isSame(before, draft)) this.server.edited(block, before);
    this.drop(key);
  }

  private async saveUntilDone(key: string): Promise<void> {
    for (let draft = this.find(key); draft && isUnsaved(draft) && !draft.theirs; draft = this.find(key)) {
      try {
        await this.send(draft);
      } catch (error) {
        const { change, again } = afterError(draft, error);
        this.patch(key, change);
        if (!again) return;
      }
    }
  }

  private async send(draft: Draft): Promise<void> {
    const { sent, block } = draft.block
      ? { sent: draft, block: await this.server.change(draft.block, changeOf(draft)) }
      : await this.create(draft);
    this.keys.set(block.block_id, draft.key);
    this.patch(draft.key, afterSaving(sent, block));
    this.server.publish(block);
  }

  /** Create the block of a draft. A request without an answer is repeated as it was, so that no block is made twice. */
  private async create(draft: Draft): Promise<{ sent: Draft; block: Block }> {
    if (draft.after && this.saves.has(draft.after)) await this.saves.get(draft.after);
    const request = this.creations.get(draft.key) ?? {
      key: crypto.randomUUID(),
      sent: draft,
      place: placeAfter(this.rows(), this.find(draft.key)?.after ?? draft.after),
    };
    this.creations.set(draft.key, request);
    const { type, content } = request.sent;
    try {
      const block = await this.server.create({ type, content, place: request.place }, request.key);
      this.creations.delete(draft.key);
      return { sent: request.sent, block };
    } catch (error) {
      if (isRefused(error)) this.creations.delete(draft.key);
      throw error;
    }
  }

  private isOnPage(key: string): boolean {
    return this.server.page().some((each) => this.keyOf(each.block_id) === key);
  }

  private set(change: (drafts: Draft[]) => Draft[]): void {
    this.state.update((state) => ({ ...state, drafts: change(state.drafts) }));
  }
}

function changeOf({ block, type, content }: Draft): BlockChange {
  return block?.type === type ? { content } : { type, content };
}

/** Return whether the server has certainly not created anything. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;
