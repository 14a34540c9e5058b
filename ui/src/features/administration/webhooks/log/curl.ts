import { workbench } from "@/texts/workbench";
import type { Attempt, Delivery, Webhook } from "../queries";

/** Longer arguments do not fit on a command line: Linux allows 128 KiB for each. */
const LONGEST_ARGUMENT = 100_000;

/** Quote a text for a POSIX shell: nothing in single quotes has a meaning. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Return the command that sends an attempt again, with its signature; custom headers have placeholders. */
export function curlOf(
  webhook: Pick<Webhook, "endpoint_url" | "header_names">,
  delivery: Pick<Delivery, "request_body">,
  attempt: Pick<Attempt, "request_headers">,
): string {
  const ours = new Set(Object.keys(attempt.request_headers).map((name) => name.toLowerCase()));
  const custom = webhook.header_names.filter((name) => !ours.has(name.toLowerCase()));
  const headers = [
    ...Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`),
    ...custom.map((name) => `${name}: ${workbench.curl.placeholder}`),
  ];
  const body = delivery.request_body;
  const isLong = new TextEncoder().encode(body).length > LONGEST_ARGUMENT;
  const lines = [
    `curl --globoff ${quote(webhook.endpoint_url)}`,
    ...headers.map((header) => `--header ${quote(header)}`),
    isLong ? "--data-binary @-" : `--data-raw ${quote(body)}`,
  ];
  const command = lines.join(" \\\n  ");
  return isLong ? `printf %s ${quote(body)} |\n${command}` : command;
}
