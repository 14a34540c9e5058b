import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { curlOf, quote } from "./curl";
import { align, compareHeaders, compareResponses, compareResults, differs } from "./diff";
import { momentOf, readable } from "./format";
import type { Attempt } from "../queries";
import { barsOf } from "./timing";

const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  attempt: 1,
  attempted_at: "2026-11-28T09:00:00.000Z",
  duration_ms: 10,
  response_code: 200,
  error: null,
  response_excerpt: "",
  request_headers: { "Content-Type": "application/json" },
  ...fields,
});

describe("a text for a shell", () => {
  it.each([
    "",
    "plain",
    "it's",
    "''",
    `"double" $HOME \${x} \`id\` $(id) !! \\ \\' %s * ? ~ # ; & | < >`,
    "two\nlines\n",
    "tab\tand \u001b[31m",
    "ünïcödé 🚨",
    "--data @file",
  ])("stays itself: %j", (text) => {
    expect(execFileSync("sh", ["-c", `printf %s ${quote(text)}`], { encoding: "utf8" })).toBe(text);
  });
});

describe("a delivery as curl", () => {
  const webhook = {
    endpoint_url: "https://example.org/hook?a=[1]&b='",
    header_names: ["X-Team", "content-type"],
  };

  /** Run the command with a `curl` that prints its arguments, and what it reads. */
  function run(body: string): { given: string[]; read: string } {
    const command = curlOf(webhook, { request_body: body }, attempt());
    const curl = `curl() { printf '%s\\0' "$@"; case "$*" in *--data-binary*) cat;; esac; }`;
    const parts = execFileSync("sh", {
      input: `${curl}\n${command}`,
      encoding: "utf8",
      maxBuffer: 1e7,
    }).split("\0");
    return { given: parts.slice(0, -1), read: parts.at(-1) ?? "" };
  }

  it("has the URL, the headers that were sent, placeholders for custom ones, and the exact body", () => {
    const body = `{"text":"it's $HOME \\\\ @file\\n"}`;
    expect(run(body).given).toEqual([
      "--globoff",
      webhook.endpoint_url,
      "--header",
      "Content-Type: application/json",
      "--header",
      "X-Team: <value>",
      "--data-raw",
      body,
    ]);
  });

  it("passes a body through a pipe that is too long for an argument", () => {
    const body = "'ü".repeat(60_000);
    const { given, read } = run(body);
    expect(given.slice(-2)).toEqual(["--data-binary", "@-"]);
    expect(read).toBe(body);
  });
});

describe("a comparison of attempts", () => {
  it("marks what differs in status, error, time and stages", () => {
    const left = attempt({ response_code: null, error: "refused", timing: { reused: false, connect_ms: 3 } });
    const right = attempt({ attempt: 2, timing: { reused: true, wait_ms: 8 } });
    const rows = compareResults(left, right);
    expect(rows.map(({ name }) => name)).toEqual([
      "Status",
      "Error",
      "Time",
      "Duration",
      "Connection",
      "Connect",
      "Wait",
    ]);
    expect(rows.filter(differs).map(({ name }) => name)).toEqual([
      "Status",
      "Error",
      "Connection",
      "Connect",
      "Wait",
    ]);
    expect(compareResults(left, left).filter(differs)).toEqual([]);
  });

  it("leaves what differs between any two attempts unmarked", () => {
    const signed = (nr: string) => ({ "webhook-timestamp": nr, "webhook-signature": `v1,${nr}` });
    const left = attempt({ request_headers: signed("1") });
    const right = attempt({ request_headers: signed("2"), attempted_at: "2026-11-28T09:01:00.000Z" });
    expect([...compareHeaders(left, right), ...compareResults(left, right)].filter(differs)).toEqual([]);
  });

  it("shows headers of either side", () => {
    const rows = compareHeaders(
      attempt({ request_headers: { A: "1", B: "2" } }),
      attempt({ request_headers: { A: "1", C: "3" } }),
    );
    expect(rows).toEqual([
      { name: "A", left: "1", right: "1" },
      { name: "B", left: "2", right: null },
      { name: "C", left: null, right: "3" },
    ]);
  });

  it("indents JSON and puts the same lines next to each other", () => {
    const pairs = compareResponses(
      attempt({ response_excerpt: `{"a":1,"b":2}` }),
      attempt({ response_excerpt: `{"a":1,"c":0,"b":3}` }),
    );
    expect(pairs.filter((pair) => !differs(pair)).map(({ left }) => left)).toEqual(["{", '  "a": 1,', "}"]);
  });

  it("loses and repeats no line", () => {
    const texts = ["", "a", "abc", "axbycz", "cba", "aabbcc", "xyz"].map((text) => [...text]);
    for (const left of texts)
      for (const right of texts) {
        const pairs = align(left, right);
        expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left);
        expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(right);
      }
    expect(align(["a", "b", "c"], ["a", "c"]).filter((pair) => !differs(pair))).toHaveLength(2);
  });
});

it("the bars of a waterfall follow each other and fill the width", () => {
  const bars = barsOf({ reused: false, resolve_ms: 10, connect_ms: 0, wait_ms: 30 });
  expect(bars.map(({ stage, start, length }) => [stage, start, length])).toEqual([
    ["resolve_ms", 0, 25],
    ["connect_ms", 25, 0],
    ["wait_ms", 25, 75],
  ]);
  expect(barsOf({ reused: false })).toEqual([]);
});

it("a body that is no JSON is shown as it is", () => {
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readable("<b>no</b>")).toBe("<b>no</b>");
});

it("a time that is not complete filters nothing", () => {
  expect(momentOf("")).toBeUndefined();
  expect(momentOf("2026-11")).toMatch(/^2026-/);
  expect(momentOf("x")).toBeUndefined();
});
