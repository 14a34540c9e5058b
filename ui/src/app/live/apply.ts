import { forgetEarly, type Schemas } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { publishBlock, publishDeletion } from "@/model/blocks/page";
import type { Message } from "@/model/messages/history";
import { confirmSent } from "@/model/messages/outbox";
import { refreshTimelines, reloadTimelines, publishMessage, publishReply } from "@/model/messages/timelines";
import { addTyping } from "@/model/messages/typing";
import {
  LIVE_KEYS,
  organizationsKey,
  pendingMembershipsKey,
  roomFilesKey,
  roomKey,
  roomsKey,
  spaceMembersKey,
  spacesKey,
  unreadKey,
  type Key,
} from "@/model/queryKeys";
import { countMessage, recountChanged } from "@/model/unread/arrivals";
import type { ServerEvent } from "./parse";

interface Shown {
  organizationId: string;
  personId: string;
  roomId: () => string | null;
}

/** Update the page with an event. */
export function apply(event: ServerEvent, shown: Shown): void {
  const live = { event: event.event, data: JSON.parse(event.data) as unknown } as Schemas["LiveEvent"];
  switch (live.event) {
    case "message.sent":
      publishMessage(live.data);
      if (live.data.thread_root_id) publishReply(live.data);
      if (live.data.user_id === shown.personId) confirmSent(live.data);
      if (live.data.attachments.length > 0) invalidate(roomFilesKey(live.data.room_id));
      void showNotification(live.data, shown);
      return countMessage(live.data, shown);
    case "message.edited":
    case "message.deleted":
      publishMessage(live.data);
      if (live.event === "message.deleted") invalidate(roomFilesKey(live.data.room_id));
      return recountChanged(live.data, shown);
    case "reaction.added":
    case "reaction.removed":
      return publishMessage(live.data.message);
    case "typing":
      return addTyping(live.data.room_id, live.data.user_id);
    case "read_marker.moved":
    case "thread_read_marker.moved":
      return invalidate(unreadKey());
    case "block.created":
    case "block.updated":
      return publishBlock(live.data);
    case "block.deleted":
      return publishDeletion(live.data);
    case "room.created":
    case "room.updated":
    case "room.archived":
    case "room.deleted":
      return invalidate(roomsKey(live.data.space_id), roomKey(live.data.room_id));
    case "space.created":
    case "space.updated":
      return invalidate(spacesKey());
    case "space_member.added":
    case "space_member.updated":
    case "space_member.removed":
      return invalidate(spaceMembersKey(live.data.space_id));
    case "access.changed":
      return invalidate(
        organizationsKey(),
        pendingMembershipsKey(),
        spacesKey(),
        roomsKey(),
        roomKey(),
        unreadKey(),
      );
    case "hello":
      forgetEarly();
      refreshTimelines();
      return LIVE_KEYS.forEach((key) => readAgain(key()));
    case "reset":
      reloadTimelines(shown.roomId());
      return void queryClient.invalidateQueries();
    default:
      return void (live satisfies never); // a newer server's event
  }
}

/** The code is loaded at the first new message; if that fails, at the next one again. */
async function showNotification(message: Message, shown: Shown): Promise<void> {
  const desktop = await import("@/features/notifications/desktop").catch(() => null);
  desktop?.notifyOf(message, shown);
}

/** Reload queries; one that is loading for the first time is reloaded when it is done. */
function readAgain(queryKey: Key): void {
  for (const each of queryClient.getQueryCache().findAll({ queryKey })) {
    const isFirst = each.state.data === undefined && each.state.fetchStatus === "fetching";
    void Promise.resolve(isFirst ? each.promise : null).then(
      () => queryClient.invalidateQueries({ queryKey: each.queryKey, exact: true }),
      () => undefined,
    );
  }
}

function invalidate(...keys: Key[]): void {
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}
