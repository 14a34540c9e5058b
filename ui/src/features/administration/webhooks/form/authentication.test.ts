import { describe, expect, it } from "vitest";
import { credentialsOf, draftOf, endingOf, isComplete, secretStateOf } from "./authentication";
import type { Webhook } from "../queries";

const URL = "https://example.org/hook";
const TOKEN_URL = "https://id.example.org/token";
const OAUTH = {
  type: "oauth2",
  token_url: TOKEN_URL,
  client_id: "atrium",
  scope: "hooks",
  audience: null,
  client_authentication: "body",
} as const;
const TLS = { type: "mutual_tls", certificate: "PEM", ends_at: "2026-12-01T12:00:00.000Z" };
const webhook = (authentication: unknown) => ({ endpoint_url: URL, authentication }) as Webhook;

describe("the form", () => {
  it("returns what it was opened with, without a secret", () => {
    expect(credentialsOf(draftOf(OAUTH))).toEqual(OAUTH);
    expect(credentialsOf(draftOf(webhook(TLS).authentication))).toEqual({
      type: "mutual_tls",
      certificate: "PEM",
    });
    expect(credentialsOf(draftOf(null))).toBeNull();
  });

  it("requires a secret unless the server has it for the same URLs", () => {
    const draft = draftOf(OAUTH);
    const elsewhere = { ...draft, tokenUrl: `${TOKEN_URL}s` };
    expect(secretStateOf(draft, webhook(OAUTH), URL)).toBe("stored");
    expect(secretStateOf(draft, webhook(OAUTH), `${URL}s`)).toBe("again");
    expect(secretStateOf(elsewhere, webhook(OAUTH), URL)).toBe("again");
    expect(secretStateOf(draft, webhook(TLS), URL)).toBe("new");
    expect(secretStateOf(draft, undefined, URL)).toBe("new");
    expect(isComplete(draft, "stored")).toBe(true);
    expect(isComplete(draft, "again")).toBe(false);
    expect(isComplete({ ...draft, clientSecret: "s" }, "again")).toBe(true);
    expect(isComplete(draftOf(null), "new")).toBe(true);
  });
});

describe("the end of a certificate", () => {
  it("is near from a week before, and has come with its time", () => {
    const at = (time: string) => endingOf(webhook(TLS), new Date(time));
    expect(at("2026-11-24T11:59:59.000Z")).toBeNull();
    expect(at("2026-11-24T12:00:00.000Z")?.hasEnded).toBe(false);
    expect(at("2026-12-01T12:00:00.000Z")?.hasEnded).toBe(true);
    expect(endingOf(webhook(OAUTH), new Date())).toBeNull();
  });
});
