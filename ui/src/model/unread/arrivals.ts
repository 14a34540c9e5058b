import { queryClient } from "@/api/queryClient";
import type { Message } from "@/model/messages/history";
import { clearTyping } from "@/model/messages/typing";
import { mentionsKey, threadsKey, unreadKey } from "@/model/queryKeys";
import { isUnread, withMessageCounted, withPlaceRead, type Unread } from "./counts";
import { follow, isFollowing } from "./participation";
import { isBeingRead } from "./visibility";

interface Reader {
  organizationId: string;
  personId: string;
}

/** Count a new message as unread, unless the reader sent it, is reading it, or takes no part in its thread. */
export function countMessage(message: Message, reader: Reader): void {
  const { room_id, thread_root_id } = message;
  clearTyping(room_id, message.user_id);
  const isOwn = message.user_id === reader.personId;
  const mentions = message.mentions.includes(reader.personId);
  if (thread_root_id && (isOwn || mentions)) follow(room_id, thread_root_id);
  if (mentions) void queryClient.invalidateQueries({ queryKey: mentionsKey(reader.organizationId) });
  if (!thread_root_id) return isOwn ? undefined : count(message, reader);
  void isFollowing(room_id, thread_root_id, reader.personId).then(
    (follows) => {
      if (!follows) return;
      void queryClient.invalidateQueries({ queryKey: threadsKey(reader.organizationId) });
      if (isOwn) readThread(message, reader.organizationId);
      else count(message, reader);
    },
    () => undefined,
  );
}

/** Count again after an edit or a deletion that may have changed what is unread. */
export function recountChanged(message: Message, { organizationId, personId }: Reader): void {
  const key = unreadKey(organizationId);
  const mentions = message.mentions.includes(personId);
  const counted = isUnread(queryClient.getQueryData<Unread>(key), message);
  if (mentions || counted) void queryClient.invalidateQueries({ queryKey: key });
  if (mentions || message.status === "DELETED")
    void queryClient.invalidateQueries({ queryKey: mentionsKey(organizationId) });
}

function count(message: Message, { organizationId, personId }: Reader): void {
  if (isBeingRead(message.room_id, message.thread_root_id)) return;
  const key = unreadKey(organizationId);
  const known = queryClient.getQueryData<Unread>(key);
  const counted = known && withMessageCounted(known, message, personId);
  if (counted) queryClient.setQueryData(key, counted);
  else void queryClient.invalidateQueries({ queryKey: key });
}

/** Mark a thread as read up to the reader's own reply, as the server does. */
function readThread({ room_id, thread_root_id }: Message, organizationId: string): void {
  queryClient.setQueryData<Unread>(
    unreadKey(organizationId),
    (known) => known && withPlaceRead(known, room_id, thread_root_id),
  );
}
