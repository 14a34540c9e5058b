import type { Schemas } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { notifyOf } from "@/features/notifications/desktop";
import { noteArrived } from "@/model/messages/outbox";
import { lookAgain, readAnew, tell, tellOfReply } from "@/model/messages/timelines";
import { noteTyping } from "@/model/messages/typing";
import { noteMessage } from "@/model/unread/note";
import type { ServerEvent } from "./parse";

/** What events keep up to date, beside the timelines. */
const LIVE = ["organizations", "spaces", "space-members", "rooms", "room", "unread", "thread", "message"];

interface Shown {
  organizationId: string;
  personId: string;
  roomId: () => string | null;
}

/** Bring what is shown up to date with an event. */
export function apply(event: ServerEvent, shown: Shown): void {
  const live = { event: event.event, data: JSON.parse(event.data) as unknown } as Schemas["LiveEvent"];
  switch (live.event) {
    case "message.sent":
      tell(live.data);
      if (live.data.thread_root_id) tellOfReply(live.data);
      if (live.data.user_id === shown.personId) noteArrived(live.data);
      notifyOf(live.data, shown);
      return noteMessage(live.data, shown);
    case "message.edited":
    case "message.deleted":
      return tell(live.data);
    case "reaction.added":
    case "reaction.removed":
      return tell(live.data.message);
    case "typing":
      return noteTyping(live.data.room_id, live.data.user_id);
    case "read_marker.moved":
      return anew(["unread"]);
    case "room.created":
    case "room.updated":
    case "room.archived":
    case "room.deleted":
      return anew(["rooms", live.data.space_id], ["room", live.data.room_id]);
    case "space.created":
    case "space.updated":
      return anew(["spaces"]);
    case "space_member.added":
    case "space_member.updated":
    case "space_member.removed":
      return anew(["space-members", live.data.space_id]);
    case "access.changed":
      return anew(["organizations"], ["spaces"], ["rooms"], ["room"], ["unread"]);
    case "hello":
      lookAgain();
      return LIVE.forEach(readAgain);
    case "reset":
      readAnew(shown.roomId());
      return void queryClient.invalidateQueries();
  }
}

/** Read again what was read before now, and what is being read for the first time once that is over. */
function readAgain(about: string): void {
  for (const each of queryClient.getQueryCache().findAll({ queryKey: [about] })) {
    const isFirst = each.state.data === undefined && each.state.fetchStatus === "fetching";
    void Promise.resolve(isFirst ? each.promise : null).then(
      () => queryClient.invalidateQueries({ queryKey: each.queryKey, exact: true }),
      () => undefined,
    );
  }
}

function anew(...keys: string[][]): void {
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}
