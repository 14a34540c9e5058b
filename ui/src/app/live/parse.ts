export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** Parses server-sent events from a text that arrives in chunks of any size. */
export class EventReader {
  private rest = "";
  private lastId = "";

  read(text: string): ServerEvent[] {
    const blocks = (this.rest + text).split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = blocks.pop() ?? "";
    return blocks.map((block) => this.event(block)).filter((each) => each !== null);
  }

  /** A block may have only an id: the next connection resumes after it. Such a block is returned with empty data. */
  private event(block: string): ServerEvent | null {
    const data: string[] = [];
    let event = "";
    let id: string | null = null;
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, field, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
      if (field === "data") data.push(value ?? "");
      else if (field === "event") event = value ?? "";
      else if (field === "id") id = value ?? "";
    }
    if (id !== null) this.lastId = id;
    if (data.length === 0 && id === null) return null;
    return { id: this.lastId, event, data: data.join("\n") };
  }
}
