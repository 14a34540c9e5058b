import { api } from "@/api/client";
import { unwrap } from "@/api/errors";
import { publishMessage } from "@/model/messages/timelines";
import type { Message } from "@/model/messages/history";

const at = ({ room_id, message_id }: Message) => ({ room_id, message_id });

export async function editMessage(message: Message, text: string): Promise<void> {
  const params = { path: at(message) };
  publishMessage(
    await unwrap(api.PATCH("/v2/rooms/{room_id}/messages/{message_id}", { params, body: { text } })),
  );
}

export async function deleteMessage(message: Message): Promise<void> {
  await unwrap(api.DELETE("/v2/rooms/{room_id}/messages/{message_id}", { params: { path: at(message) } }));
  publishMessage({
    ...message,
    status: "DELETED",
    text: "",
    blocks: [],
    mentions: [],
    attachments: [],
    reactions: [],
  });
}

/** Add or remove the user's reaction. The view changes immediately, and back if the request fails. */
export async function toggleReaction(message: Message, emoji: string, personId: string): Promise<void> {
  const isOwn = message.reactions.some((each) => each.emoji === emoji && each.user_ids.includes(personId));
  const params = { path: { ...at(message), emoji } };
  publishMessage({ ...message, reactions: reactionsAfter(message.reactions, emoji, personId, !isOwn) });
  try {
    const path = "/v2/rooms/{room_id}/messages/{message_id}/reactions/{emoji}";
    await unwrap<unknown>(isOwn ? api.DELETE(path, { params }) : api.PUT(path, { params }));
  } catch (error) {
    publishMessage(message);
    throw error;
  }
}

type Reactions = Message["reactions"];

export function reactionsAfter(
  reactions: Reactions,
  emoji: string,
  personId: string,
  put: boolean,
): Reactions {
  const others = (ids: string[]) => ids.filter((each) => each !== personId);
  const known = reactions.some((each) => each.emoji === emoji);
  const all = known ? reactions : [...reactions, { emoji, user_ids: [] }];
  return all
    .map((each) =>
      each.emoji === emoji
        ? { emoji, user_ids: [...others(each.user_ids), ...(put ? [personId] : [])] }
        : each,
    )
    .filter((each) => each.user_ids.length > 0);
}
