import { queryClient } from "@/api/queryClient";
import { withNames } from "@/model/markdown/mentions";
import { linkTo } from "@/model/messages/links";
import type { Message } from "@/model/messages/history";
import { fetchName, nameOf } from "@/model/people/names";
import { roomOf } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { isOffered, level } from "./level";
import { summaryOf, shouldNotify } from "./relevance";

interface Shown {
  organizationId: string;
  personId: string;
  roomId: () => string | null;
}

const ICON = "/icon.svg";

/** Show a desktop notification for a new message, if the settings and the focus allow it. */
export function notifyOf(message: Message, shown: Shown): void {
  const isLooking =
    document.visibilityState === "visible" && document.hasFocus() && shown.roomId() === message.room_id;
  if (!shouldNotify(message, level.get(), { personId: shown.personId, isLooking })) return;
  if (!isOffered() || Notification.permission !== "granted") return;
  void show(message, shown.organizationId);
}

async function show(message: Message, organizationId: string): Promise<void> {
  const [room, who] = await Promise.all([
    queryClient.ensureQueryData(roomOf(message.room_id)).catch(() => null),
    fetchName(organizationId, message.user_id),
  ]);
  const { text } = withNames(message.text, nameOf);
  const file = message.attachments[0];
  const body = summaryOf(text) || (file ? texts.notifications.file(file.name) : "");
  const title = texts.notifications.title(
    who ?? texts.notifications.someone,
    room?.name ?? texts.notifications.aRoom,
  );
  // The tag prevents duplicates from several windows.
  const notification = new Notification(title, { body, tag: message.message_id, icon: ICON });
  notification.onclick = () => {
    window.focus();
    if (room) location.assign(linkTo(location.origin, room, message));
    notification.close();
  };
}

/** Show a test notification. */
export function showExample(): void {
  new Notification(texts.notifications.testTitle, { body: texts.notifications.testBody, icon: ICON });
}
