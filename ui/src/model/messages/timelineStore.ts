import { api } from "@/api/client";
import { unwrap, messageOf } from "@/api/errors";
import { Store } from "@/kit/data/store";
import { readNewer } from "./forward";
import { positionAt, type Position } from "./jump";
import {
  EMPTY,
  trim,
  mergeRefetched,
  withMessage,
  withMessages,
  withNewer,
  withOlder,
  type TimelineRange,
  type Timeline,
} from "./timeline";
import { olderThan, readOlder, type Cursor, type Message, type RoomPage } from "./history";

const FIRST_PAGE = 50;
const PAGE = 100;
const MAX_MESSAGES = 3000;

export interface Loading {
  opening: boolean;
  older: boolean;
  newer: boolean;
  error: string | null;
}

type LoadKind = "opening" | "older" | "newer" | "again";

/** Chooses the message that a list starts at, of those that have been loaded. */
type ChooseTarget = (messages: Message[]) => Message | undefined;

const IDLE: Loading = { opening: false, older: false, newer: false, error: null };

/** The loaded part of a room's top-level messages, and how to load more. */
export class TimelineStore {
  readonly timeline = new Store<Timeline>(EMPTY);
  readonly loading = new Store<Loading>({ ...IDLE, opening: true });
  /** Incremented when the timeline is replaced by another part of the history. */
  readonly openCount = new Store(0);
  /** The message that the room was opened at. */
  readonly target = new Store<string | null>(null);
  private isOpen = false;
  private read = () => this.newest();
  private chooseTarget: ChooseTarget = () => undefined;
  private failed: LoadKind = "opening";
  private opening = Promise.resolve();
  private generation: object = {};
  /** The messages received during each request, whose response may be older. */
  private readonly meanwhile = new Set<Message[]>();

  constructor(
    readonly roomId: string,
    private readonly createdAt: string,
  ) {}

  /** Show the newest messages, unless they are shown. */
  async openNewest({ reload = false } = {}): Promise<void> {
    const isShown = this.isOpen && !this.loading.get().opening && this.timeline.get().atNewest;
    if (isShown && !reload) return;
    await this.open(() => this.newest());
  }

  /** Show the history around a message, which may be the target. */
  async openAt(message: Message, { isTarget = false } = {}): Promise<void> {
    await this.open(
      () => this.around(message, [message]),
      () => (isTarget ? message : undefined),
    );
  }

  /** Show the history around a time, at a message that is chosen of it; what was sent later comes first below the time. */
  async openAtTime(ms: number, target: ChooseTarget): Promise<void> {
    await this.open(() => this.around(positionAt(Math.max(ms, Date.parse(this.createdAt)))), target);
  }

  /**
   * Read the same place again, without a loading indicator: no event reports what changed between the first request and
   * the start of the live stream.
   */
  async refresh(): Promise<void> {
    const generation = this.generation;
    await this.opening;
    if (this.generation !== generation || !this.isOpen) return; // another part was opened in the meantime
    await this.runExclusive("again", async (isCurrent) => {
      const found = await (this.timeline.get().atNewest ? this.newest() : this.read());
      if (!isCurrent()) return;
      const known = mergeRefetched(this.timeline.get(), found);
      if (known) this.timeline.set(known);
      else this.replace(found, this.target.get());
    });
  }

  /** Do again what failed last; what is shown stays in its place. */
  retry(): Promise<void> {
    const again: Record<LoadKind, () => Promise<void>> = {
      opening: () => this.open(this.read, this.chooseTarget),
      older: () => this.loadOlder(),
      newer: () => this.loadNewer(),
      again: () => this.refresh(),
    };
    return again[this.failed]();
  }

  async loadOlder(): Promise<void> {
    const { older } = this.timeline.get();
    if (!older || this.isBusy()) return;
    this.timeline.update((known) => trim(known, MAX_MESSAGES));
    await this.runExclusive("older", async (isCurrent) => {
      const found = await this.olderFrom(older);
      if (isCurrent()) this.timeline.update((known) => withOlder(known, found.messages, found.older));
    });
  }

  async loadNewer(): Promise<void> {
    const { atNewest, messages } = this.timeline.get();
    const newest = messages.at(-1);
    if (atNewest || !newest || this.isBusy()) return;
    await this.runExclusive("newer", async (isCurrent) => {
      const found = await readNewer((cursor) => this.page(cursor), newest, Date.now());
      if (isCurrent()) this.timeline.update((known) => withNewer(known, found.messages, found.atNewest));
    });
  }

  /** Resolves when the timeline has loaded. */
  whenOpened(): Promise<void> {
    return this.opening;
  }

  /** Apply a new or changed message from the server. */
  receive(message: Message): void {
    for (const each of this.meanwhile) each.push(message);
    if (this.isOpen) this.timeline.update((known) => withMessage(known, message));
  }

  private async open(
    read: () => Promise<TimelineRange>,
    target: ChooseTarget = () => undefined,
  ): Promise<void> {
    this.read = read;
    this.chooseTarget = target;
    this.opening = this.runExclusive("opening", async (isCurrent) => {
      const found = await read();
      if (isCurrent()) this.replace(found, target(found.messages)?.message_id ?? null);
    });
    await this.opening;
  }

  private async newest(): Promise<TimelineRange> {
    const first = await this.page({}, FIRST_PAGE);
    const { messages, older } =
      first.messages.length > 0
        ? { messages: first.messages.toReversed(), older: olderThan(first, this.createdAt) }
        : await this.olderFrom(olderThan(first, this.createdAt));
    return { messages, older, atNewest: true };
  }

  private async around(place: Position, between: Message[] = []): Promise<TimelineRange> {
    const before = { cursor_sent_at: place.sent_at, cursor_message_id: place.message_id };
    const [older, newer] = await Promise.all([
      this.olderFrom(before),
      readNewer((cursor) => this.page(cursor), place, Date.now()),
    ]);
    const messages = [...older.messages, ...between, ...newer.messages];
    return { messages, older: older.older, atNewest: newer.atNewest };
  }

  private replace(stretch: TimelineRange, target: string | null): void {
    this.isOpen = true;
    this.target.set(target);
    this.timeline.set({ ...stretch, change: "opened" });
    this.openCount.update((count) => count + 1);
  }

  private isBusy(): boolean {
    const { opening, older, newer } = this.loading.get();
    return opening || older || newer;
  }

  private async runExclusive(part: LoadKind, work: (isCurrent: () => boolean) => Promise<void>) {
    const began = part === "opening" ? {} : this.generation;
    if (part === "opening") this.generation = began;
    const isCurrent = () => this.generation === began;
    if (part !== "again") this.loading.update((known) => ({ ...known, [part]: true, error: null }));
    const received: Message[] = [];
    this.meanwhile.add(received);
    try {
      await work(isCurrent);
      if (!isCurrent()) return;
      this.timeline.update((known) => withMessages(known, received));
      if (part !== "again") this.loading.set(IDLE);
    } catch (error) {
      if (!isCurrent()) return;
      this.failed = part;
      this.loading.set({ ...IDLE, error: messageOf(error) });
    } finally {
      this.meanwhile.delete(received);
    }
  }

  private async olderFrom(cursor: Cursor | null) {
    return cursor
      ? readOlder((each) => this.page(each), cursor, this.createdAt)
      : { messages: [], older: null };
  }

  private page(cursor: Cursor, limit = PAGE): Promise<RoomPage> {
    const query = { ...cursor, top_level: true, limit };
    const path = { room_id: this.roomId };
    return unwrap(api.GET("/v2/rooms/{room_id}/messages", { params: { path, query } }));
  }
}
