import type { Connection } from "./connection.js";
import { History } from "./history.js";
import { IncomingWebhooks } from "./incoming.js";
import type { Position } from "./position.js";
import type { ListenOptions } from "./stream.js";
import { Thread } from "./thread.js";
import type { LiveEvent, Message, MessageBlock, RoomInfo, RoomPage } from "./types.js";

export interface PageOptions {
  /** Start at older messages than this one. */
  before?: Position;
  /** Leave out replies. */
  topLevel?: boolean;
  /** At most 200, which is the default. */
  pageSize?: number;
  signal?: AbortSignal;
}

export interface MessageOptions extends PageOptions {
  /** Read the messages after this one, oldest first. */
  after?: Position;
  /** Continue with new messages as they are sent, until the signal is aborted. */
  follow?: boolean;
}

export interface SendOptions {
  blocks?: MessageBlock[];
  /** The message to reply to. */
  parentId?: string;
  /** The ids of files that you uploaded to the room. */
  attachments?: string[];
  /** Your own key, to be able to repeat the send after your program restarts. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A room. Creating it sends no request. */
export class Room {
  private readonly history: History;

  constructor(
    private readonly connection: Connection,
    readonly roomId: string,
  ) {
    this.history = new History(connection, roomId);
  }

  /** Return the room's name, type and so on. */
  async read(): Promise<RoomInfo> {
    return await this.connection.request("GET", "/v2/rooms/{room_id}", { path: { room_id: this.roomId } });
  }

  /** Yield the pages of the room's history, newest first (docs/contract.md#room-messages). */
  pages(options: PageOptions = {}): AsyncGenerator<RoomPage, void, undefined> {
    return this.history.pages(options);
  }

  /**
   * Yield every message of the room once, across all history windows.
   *
   * - By default, newest first, back to the first message; `before` starts at an older message.
   * - With `after`, oldest first: the messages after that one, up to now. With `follow` as well, then new messages as
   *   they are sent, without an end. `follow` alone yields only new messages.
   *
   * Store `Position.format(message)` of the last message that you processed to continue from there later. The client
   * waits for a server that is temporarily unreachable (`retries`). When the `signal` is aborted, following ends;
   * reading throws its reason, because it would otherwise look complete. Throws APIError, Unreachable.
   */
  messages(options: MessageOptions = {}): AsyncGenerator<Message, void, undefined> {
    const { after, before, follow = false } = options;
    if (before && (after || follow)) {
      throw new TypeError("before reads back through history; it cannot be combined with after or follow");
    }
    if (follow) return this.history.follow(options);
    return after ? this.history.newer(after, options) : this.history.older(options);
  }

  /** Return the thread of a top-level message, without a request. */
  thread(rootId: string): Thread {
    return new Thread(this.connection, this, rootId);
  }

  /** Return the room's incoming webhooks, without a request. */
  incomingWebhooks(): IncomingWebhooks {
    return new IncomingWebhooks(this.connection, this.roomId);
  }

  /** Send a message, or reply to `parentId`. It is sent once, however often the request is retried. */
  async send(text: string, options: SendOptions = {}): Promise<Message> {
    const { blocks = [], attachments = [], parentId, idempotencyKey, signal } = options;
    const body = { text, blocks, attachments, ...(parentId === undefined ? {} : { parent_id: parentId }) };
    const path = { room_id: this.roomId };
    return await this.connection.create("/v2/rooms/{room_id}/messages", {
      path,
      body,
      idempotencyKey,
      signal,
    });
  }

  /** Return a message. */
  async message(messageId: string): Promise<Message> {
    return await this.connection.request("GET", MESSAGE, { path: this.of(messageId) });
  }

  /** Change the text of one of your own messages. */
  async edit(messageId: string, text: string): Promise<Message> {
    return await this.connection.request("PATCH", MESSAGE, { path: this.of(messageId), body: { text } });
  }

  /** Delete a message; its tombstone stays. */
  async delete(messageId: string): Promise<void> {
    await this.connection.request("DELETE", MESSAGE, { path: this.of(messageId) });
  }

  /** React to a message with an emoji. */
  async react(messageId: string, emoji: string): Promise<Message> {
    const path = { ...this.of(messageId), emoji };
    return await this.connection.request("PUT", `${MESSAGE}/reactions/{emoji}`, { path });
  }

  /** Yield live events in the room; see `events` of the client. */
  events(options: ListenOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    return this.connection.listen({ room_id: this.roomId }, options);
  }

  private of(messageId: string): { room_id: string; message_id: string } {
    return { room_id: this.roomId, message_id: messageId };
  }
}

const MESSAGE = "/v2/rooms/{room_id}/messages/{message_id}";
