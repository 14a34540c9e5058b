import type { Room } from "@/features/rooms/queries";
import { say } from "@/kit/say";
import { texts } from "@/texts";
import type { Message } from "./walk";

/** Where a message is found by whoever reaches its room. */
export function linkTo(origin: string, room: Room, message: Message): string {
  const thread = message.thread_root_id ? `&thread=${message.thread_root_id}` : "";
  return `${origin}/o/${room.organization_id}/rooms/${room.room_id}?message=${message.message_id}${thread}`;
}

export async function copyLink(room: Room, message: Message): Promise<void> {
  await copy(linkTo(location.origin, room, message), texts.messages.linkCopied);
}

/** Put a text on the clipboard and say so; where the browser does not allow it, say that. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(texts.app.notCopied, { trouble: true });
  }
}
