/**
 * The position of a message in a room's history or in a thread, to continue from later. Every message is one: pass the
 * message itself, or store it as text with `Position.format` and read it with `Position.parse`.
 */
export interface Position {
  readonly sent_at: string;
  readonly message_id: string;
}

export const Position = {
  /** Return a position as text, which the Python client reads too. */
  format(position: Position): string {
    return `${position.sent_at}/${position.message_id}`;
  },

  /** Return the position that `format` wrote as `text`. Throws RangeError if it is not one. */
  parse(text: string): Position {
    const [sent_at = "", message_id = "", ...more] = text.split("/");
    if (Number.isNaN(Date.parse(sent_at)) || !ID.test(message_id) || more.length > 0) {
      throw new RangeError(`${JSON.stringify(text)} is not a position`);
    }
    return { sent_at, message_id: message_id.toLowerCase() };
  },
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Return whether a position is after another one of the same room. Everything is after none. */
export function isAfter(position: Position, other: Position | undefined): boolean {
  return other === undefined || position.message_id > other.message_id;
}

/** Return the query parameters that continue a list of messages from here. */
export function cursorOf(position: Position): { cursor_sent_at: string; cursor_message_id: string } {
  return { cursor_sent_at: position.sent_at, cursor_message_id: position.message_id };
}
