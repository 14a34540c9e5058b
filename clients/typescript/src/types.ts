import type { components } from "./schema.js";

/** Every type of the API, by its name in the OpenAPI document. The ones that programs use most have names below. */
export type Schemas = components["schemas"];

export type Actor = Schemas["KnownActor"];
export type Attachment = Schemas["Attachment"];
export type Delivery = Schemas["Delivery"];
export type Filter = Schemas["Filter"];
export type IncomingWebhook = Schemas["IncomingWebhook"];
export type Message = Schemas["Message"];
export type MessageBlock = Message["blocks"][number];
export type NewIncomingWebhook = Schemas["ShownIncomingWebhook"];
export type NewWebhook = Schemas["ShownSecret"];
export type Organization = Schemas["OwnOrganization"];
export type Problem = Schemas["ProblemDetails"];
export type Profile = Schemas["Profile"];
export type Reaction = Schemas["Reaction"];
export type RoomInfo = Schemas["Room"];
/** A page of a room's history, newest first. */
export type RoomPage = Schemas["RoomMessageList"];
export type SearchResult = Schemas["SearchResult"] | Schemas["TranscriptResult"];
export type Space = Schemas["Space"];
export type Subscription = Schemas["Subscription"];
export type Webhook = Schemas["Webhook"];
export type WebhookEvent = Schemas["WebhookEvent"];

/** A live event. Store its `id` to resume after it. */
export type LiveEvent = Schemas["LiveEvent"] & { id: string };
