import { UnexpectedResponse } from "./errors.js";
import type { LiveEvent } from "./types.js";

/** A block of a stream of server-sent events. `retry` is in seconds; `data` is null in a block that only has an id. */
export interface EventBlock {
  readonly id: string;
  readonly event: string;
  readonly data: string | null;
  readonly retry: number | null;
}

/** Parses server-sent events from a text that arrives in chunks of any size. */
export class EventReader {
  private rest = "";
  private lastId = "";

  read(text: string): EventBlock[] {
    const blocks = (this.rest + text).split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = blocks.pop() ?? "";
    return blocks.map((block) => this.parse(block)).filter((each) => each !== null);
  }

  /** A block may have only an id: the next connection resumes after it. A comment alone is null. */
  private parse(block: string): EventBlock | null {
    const fields = new Map<string, string[]>();
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
      if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), value ?? ""]);
    }
    if (!fields.has("data") && !fields.has("id")) return null;
    this.lastId = fields.get("id")?.at(-1) ?? this.lastId;
    const retry = fields.get("retry")?.at(-1) ?? "";
    return {
      id: this.lastId,
      event: fields.get("event")?.at(-1) ?? "",
      data: fields.get("data")?.join("\n") ?? null,
      retry: /^\d+$/.test(retry) ? Number(retry) / 1000 : null,
    };
  }
}

/** Return the event in a block with data. */
export function liveEvent(block: EventBlock): LiveEvent {
  try {
    const data: unknown = JSON.parse(block.data ?? "");
    return { id: block.id, event: block.event, data } as LiveEvent;
  } catch (error) {
    throw new UnexpectedResponse("the stream of events is not from an Atrium server", { cause: error });
  }
}
