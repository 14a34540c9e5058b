import { InvalidSignature, StaleDelivery } from "./errors.js";
import type { WebhookEvent } from "./types.js";

/** Seconds, as Standard Webhooks recommends. */
export const TOLERANCE = 300;

/** A verified event. Every attempt to deliver it has the same `delivery_id`: use it to drop duplicates. */
export type VerifiedEvent = WebhookEvent & { delivery_id: string };

/** The headers of a request: those of `fetch`, or an object with names in upper or lower case, as Node.js has it. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds that the timestamp may be from this machine's clock; null for any age. */
  tolerance?: number | null;
}

/**
 * Return the event in a delivery. Throws InvalidSignature or its subclass StaleDelivery; respond to both with 401.
 *
 * `body` is the raw request body, before it is parsed, and `headers` are the request's. `secret` is the webhook's
 * secret, or several while it is being rotated. `webhook-signature` must be valid, and its timestamp within `tolerance`
 * of this machine's clock, so that a recorded delivery cannot be replayed later. With `tolerance: null` a delivery may
 * be of any age, and `X-Service-Signature` alone is enough. Signatures are compared in constant time, by Web Crypto.
 */
export async function verify(
  secret: string | readonly string[],
  body: Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  { tolerance = TOLERANCE }: VerifyOptions = {},
): Promise<VerifiedEvent> {
  const secrets = typeof secret === "string" ? [secret] : secret;
  const given = new Given(headers);
  const bytes = bytesOf(body);
  let isValid = await hasStandardSignature(secrets, bytes, given);
  if (tolerance === null) isValid = (await hasServiceSignature(secrets, bytes, given)) || isValid;
  if (!isValid) throw new InvalidSignature(reason(given, tolerance));
  if (
    tolerance !== null &&
    Math.abs(Date.now() / 1000 - Number(given.get("webhook-timestamp"))) > tolerance
  ) {
    throw new StaleDelivery(`the timestamp is more than ${tolerance} seconds from the current time`);
  }
  return eventIn(bytes, given);
}

/** The headers by their names in lower case; a missing one is empty. */
class Given {
  private readonly values: Map<string, string>;

  constructor(headers: ReceivedHeaders) {
    const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
    this.values = new Map(
      entries.map(([name, value]) => [name.toLowerCase(), [value ?? ""].flat().join(", ")]),
    );
  }

  get(name: string): string {
    return this.values.get(name) ?? "";
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Return a copy of the body, which nobody else changes. */
function bytesOf(body: Uint8Array | ArrayBuffer): Bytes {
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body).slice();
  throw new TypeError("the body must be the bytes of the request, before they are decoded or parsed");
}

/** Return whether one of the signatures in `webhook-signature` is valid (Standard Webhooks 1.0). */
async function hasStandardSignature(secrets: readonly string[], body: Bytes, given: Given): Promise<boolean> {
  const [id, timestamp] = [given.get("webhook-id"), given.get("webhook-timestamp")];
  if (!id || !/^\d{1,15}$/.test(timestamp)) return false;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const found = given.get("webhook-signature").split(" ").map(standardSignature);
  const keys = secrets.map(keyOf);
  return await isAnyValid(keys, found, signed);
}

async function hasServiceSignature(secrets: readonly string[], body: Bytes, given: Given): Promise<boolean> {
  const keys = secrets.map((secret) => new TextEncoder().encode(secret));
  return await isAnyValid(keys, [serviceSignature(given.get("x-service-signature"))], body);
}

/** Return whether one of the signatures is valid for one of the keys. Compares all, to take constant time. */
async function isAnyValid(keys: Bytes[], signatures: (Bytes | null)[], signed: Bytes): Promise<boolean> {
  let isValid = false;
  for (const key of keys) {
    const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["verify"]);
    for (const signature of signatures) {
      if (signature) isValid = (await crypto.subtle.verify("HMAC", imported, signature, signed)) || isValid;
    }
  }
  return isValid;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** Return the bytes of `v1,` and base64, or null for anything else. */
function standardSignature(text: string): Bytes | null {
  return /^v1,[A-Za-z0-9+/]{43}=$/.test(text) ? decoded(text.slice(3)) : null;
}

/** Return the bytes of `sha256=` and hex, or null for anything else. */
function serviceSignature(text: string): Bytes | null {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(text)?.[1];
  return hex ? Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16)) : null;
}

/** Return the key in a secret. Throws TypeError if it is not one. */
function keyOf(secret: string): Bytes {
  const text = secret.replace(/^whsec_/, "");
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) || text === "") {
    throw new TypeError("a webhook secret is whsec_ followed by base64");
  }
  return decoded(text);
}

function decoded(base64: string): Bytes {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function concatenated(start: Uint8Array, end: Uint8Array): Bytes {
  const together = new Uint8Array(start.length + end.length);
  together.set(start);
  together.set(end, start.length);
  return together;
}

function reason(given: Given, tolerance: number | null): string {
  if (given.get("webhook-signature")) {
    return "webhook-signature does not match the body, webhook-id and webhook-timestamp";
  }
  if (tolerance === null && given.get("x-service-signature"))
    return "X-Service-Signature does not match the body";
  return tolerance === null ? "the signature is missing" : "webhook-signature is missing";
}

function eventIn(body: Bytes, given: Given): VerifiedEvent {
  // webhook-id is covered by the signature
  const delivery_id = given.get("webhook-id") || given.get("x-service-delivery");
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
    if (typeof event.event_type !== "string" || typeof event.subject.type !== "string") throw new TypeError();
    return { ...event, delivery_id };
  } catch (error) {
    throw new InvalidSignature("the signature is valid, but the body is not an event", { cause: error });
  }
}
