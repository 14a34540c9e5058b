import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";
import { useShortcuts } from "@/kit/input/shortcuts";
import type { TimelineStore } from "@/model/messages/timelineStore";
import type { Room } from "@/model/rooms/queries";
import type { UnreadRoom } from "@/model/unread/counts";
import { markUnread, readAll } from "@/model/unread/markRead";
import { isAutoReadSuppressed } from "@/model/unread/visibility";
import { texts } from "@/texts";

/**
 * With Escape, go to the newest message and mark the room as read. A notice says so and can undo it: Escape is often
 * pressed once more than needed. What the reader has marked as unread stays so.
 */
export function useEscapeToRead(
  room: Room,
  store: TimelineStore,
  unread: UnreadRoom | undefined,
  toNewest: () => void,
): void {
  const { organization_id: organizationId, room_id: roomId } = room;
  const undo = (messageId: string) =>
    void markUnread(organizationId, {
      room_id: roomId,
      thread_root_id: null,
      message_id: messageId,
    }).catch((error: unknown) => showNotice(messageOf(error), { isError: true }));
  const read = async () => {
    toNewest();
    await store.whenOpened();
    if (store.loading.get().error) return;
    const newest = store.timeline.get().messages.at(-1);
    if (!newest) return;
    if (unread) {
      const onAct = () => undo(unread.first_unread_message_id);
      showNotice(texts.unread.markedRead, { action: { label: texts.unread.undo, onAct } });
    }
    await readAll({ organizationId, roomId, rootId: null }, newest.message_id);
  };
  useShortcuts({ markRead: () => !isAutoReadSuppressed(roomId) && void read() });
}
