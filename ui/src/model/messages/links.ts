import { copy } from "@/kit/text/clipboard";
import type { Room } from "@/model/rooms/queries";
import { texts } from "@/texts";
import type { Message } from "./history";

/** Return the URL of a message. */
export function linkTo(origin: string, room: Room, message: Message): string {
  const thread = message.thread_root_id ? `&thread=${message.thread_root_id}` : "";
  return `${origin}/o/${room.organization_id}/rooms/${room.room_id}?message=${message.message_id}${thread}`;
}

export async function copyLink(room: Room, message: Message): Promise<void> {
  await copy(linkTo(location.origin, room, message), texts.messages.linkCopied);
}
