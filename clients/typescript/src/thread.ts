import type { Connection } from "./connection.js";
import { newMessages } from "./following.js";
import { cursorOf, type Position } from "./position.js";
import type { Room, SendOptions } from "./room.js";
import type { Message } from "./types.js";

export interface ThreadOptions {
  /** Read the replies after this one. */
  after?: Position;
  /** Continue with new replies as they are sent, until the signal is aborted. */
  follow?: boolean;
  /** At most 200, which is the default. */
  pageSize?: number;
  signal?: AbortSignal;
}

/** The replies under a top-level message. */
export class Thread {
  constructor(
    private readonly connection: Connection,
    private readonly room: Room,
    readonly rootId: string,
  ) {}

  /** Return the thread's root message, which is not among its replies. */
  async root(): Promise<Message> {
    return await this.room.message(this.rootId);
  }

  /** Yield every reply once, including nested ones, oldest first; with `follow`, then new ones as they are sent. */
  messages(options: ThreadOptions = {}): AsyncGenerator<Message, void, undefined> {
    return options.follow ? this.follow(options) : this.newer(options.after, options);
  }

  /** Reply. The reply is sent once, however often the request is retried. */
  async send(text: string, options: Omit<SendOptions, "parentId"> = {}): Promise<Message> {
    return await this.room.send(text, { ...options, parentId: this.rootId });
  }

  private async *newer(
    after: Position | undefined,
    { pageSize = 200, signal }: ThreadOptions,
  ): AsyncGenerator<Message, void, undefined> {
    const path = { room_id: this.room.roomId, parent_id: this.rootId };
    let at = after;
    for (;;) {
      const query = { limit: pageSize, ...(at ? cursorOf(at) : {}) };
      const page = await this.connection.request("GET", REPLIES, { path, query, signal });
      for (const message of page.messages) {
        at = message;
        yield message;
      }
      if (!page.has_more) return;
    }
  }

  private async *follow(options: ThreadOptions): AsyncGenerator<Message, void, undefined> {
    const { after, signal } = options;
    try {
      const events = this.room.events({ signal });
      yield* newMessages(events, after, (at) => this.newer(at, options), this.rootId);
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }
}

const REPLIES = "/v2/rooms/{room_id}/threads/{parent_id}/messages";
