import type { Connection } from "./connection.js";
import { cursorOf, isAfter, type Position } from "./position.js";
import { newMessages } from "./following.js";
import type { Message, RoomPage } from "./types.js";

/** How much of a history is read. */
export interface Reading {
  before?: Position;
  after?: Position;
  topLevel?: boolean;
  pageSize?: number;
  signal?: AbortSignal;
}

interface Cursor {
  cursor_sent_at?: string;
  cursor_message_id?: string;
}

const PAGE = 200;

/** The messages of a room, in both directions. */
export class History {
  constructor(
    private readonly connection: Connection,
    private readonly roomId: string,
  ) {}

  /** Yield the pages, newest first. */
  async *pages(reading: Reading): AsyncGenerator<RoomPage, void, undefined> {
    const { before, topLevel, pageSize = PAGE, signal } = reading;
    const path = { room_id: this.roomId };
    let createdAt: string | undefined;
    let cursor: Cursor | null = before ? cursorOf(before) : {};
    while (cursor) {
      const query = { ...cursor, limit: pageSize, top_level: topLevel };
      const page: RoomPage = await this.connection.request("GET", "/v2/rooms/{room_id}/messages", {
        path,
        query,
        signal,
      });
      yield page;
      if (page.shard_has_more) {
        cursor = withinWindow(page);
      } else {
        createdAt ??= (await this.connection.request("GET", "/v2/rooms/{room_id}", { path, signal }))
          .created_at;
        cursor = isLast(page, createdAt) ? null : { cursor_sent_at: page.next_partition_cursor };
      }
    }
  }

  /** Yield messages, newest first. */
  async *older(reading: Reading): AsyncGenerator<Message, void, undefined> {
    for await (const page of this.pages(reading)) yield* page.messages;
  }

  /**
   * Yield newer messages, oldest first. If there is more than one page, only the positions where the pages start are in
   * memory.
   */
  async *newer(after: Position | undefined, reading: Reading): AsyncGenerator<Message, void, undefined> {
    const { newest, starts } = await this.findPages(after, reading);
    let at = after;
    for (const start of starts.reverse()) {
      for (const message of (await this.between(start, at, reading)).reverse()) {
        at = message;
        yield message;
      }
    }
    yield* (starts.length > 0 ? await this.between(undefined, at, reading) : newest).reverse();
  }

  /** Yield newer messages, then new ones as they are sent, until the signal is aborted. */
  async *follow(reading: Reading): AsyncGenerator<Message, void, undefined> {
    const { signal } = reading;
    try {
      const after = reading.after ?? (await this.newest(signal)); // before the stream, so that nothing is missed
      const events = this.connection.listen({ room_id: this.roomId }, { signal });
      yield* newMessages(events, after, (at) => this.newer(at, reading));
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  private async newest(signal?: AbortSignal): Promise<Message | undefined> {
    for await (const message of this.older({ pageSize: 1, signal })) return message;
    return undefined;
  }

  /** Return the newer messages of the newest page, newest first, and where the other pages of them start. */
  private async findPages(
    after: Position | undefined,
    reading: Reading,
  ): Promise<{ newest: Message[]; starts: Position[] }> {
    let newest: Message[] = [];
    const ends: Position[] = [];
    for await (const page of this.pages({ ...reading, before: undefined })) {
      const newer = page.messages.filter((message) => isAfter(message, after));
      const oldest = newer.at(-1);
      if (newest.length === 0) newest = newer;
      if (oldest) ends.push(oldest);
      if (newer.length < page.messages.length) break;
    }
    return { newest, starts: ends.slice(0, -1) };
  }

  /** Return the messages between two positions, newest first. */
  private async between(
    before: Position | undefined,
    after: Position | undefined,
    reading: Reading,
  ): Promise<Message[]> {
    const found: Message[] = [];
    for await (const page of this.pages({ ...reading, before })) {
      const newer = page.messages.filter((message) => isAfter(message, after));
      found.push(...newer);
      if (newer.length < page.messages.length) break;
    }
    return found;
  }
}

/** Return the query of the next page in the same window (docs/contract.md#room-messages, rule 2). */
function withinWindow(page: RoomPage): Cursor {
  return {
    cursor_sent_at: page.next_cursor_sent_at ?? "",
    cursor_message_id: page.next_cursor_message_id ?? "",
  };
}

/** Return whether this is the last page of a room created then (rule 4). */
function isLast(page: RoomPage, createdAt: string): boolean {
  return Date.parse(page.next_partition_cursor) < Date.parse(createdAt);
}
