/** What the page shows of a room until the application renders it: its name, and its newest messages as plain text. */
import type { Schemas } from "./api/client";

const MARKS = /\*\*|`+/g;
const MENTION = /<@([\w-]{36})>/g;

/** Show a room in the outline of the page (`index.html`), unless it is no room of messages or a part of it is asked for. */
export function outlineRoom(
  room: Schemas["Room"],
  messages: Schemas["Message"][],
  actors: Schemas["KnownActor"][],
): void {
  const [, , header, list] = document.querySelectorAll("#outline > *");
  if (room.room_type !== "chat" || location.search || !header || !list) return;
  const names = new Map(actors.map((each) => [each.actor_id, each.name]));
  const textOf = (text: string) =>
    text
      .replace(MARKS, "")
      .replace(MENTION, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole));
  const sent = messages.filter((each) => each.status === "SENT");
  header.replaceChildren(element("b", room.name));
  list.replaceChildren(
    ...sent.map(({ user_id, text }) => {
      const message = element("p", textOf(text));
      message.prepend(element("b", names.get(user_id) ?? ""));
      return message;
    }),
  );
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
