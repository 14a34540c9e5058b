/**
 * A typed client for Atrium's public API, for Node.js and browsers.
 *
 *     import { Atrium } from "@atrium/client";
 *
 *     const atrium = new Atrium("http://127.0.0.1:8700", "atrp_…");
 *     const room = atrium.room("01936f4e-8f2a-7c31-9d4b-5e6f70819203");
 *     for await (const message of room.messages()) console.log(message.sent_at, message.text);
 *     await room.send("Hello from the API");
 */

export { Atrium, type EventOptions } from "./client.js";
export { Connection, type ConnectionOptions } from "./connection.js";
export * from "./errors.js";
export { IncomingWebhooks } from "./incoming.js";
export { Position } from "./position.js";
export { DEFAULT_RETRIES, NO_RETRIES, type Retries } from "./retries.js";
export { type MessageOptions, type PageOptions, Room, type SendOptions } from "./room.js";
export type { ListenOptions } from "./stream.js";
export { Thread, type ThreadOptions } from "./thread.js";
export type * from "./types.js";
export * as webhooks from "./verify.js";
export { Webhooks } from "./webhooks.js";
