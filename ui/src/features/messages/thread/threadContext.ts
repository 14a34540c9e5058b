import type { RoomContextValue } from "@/model/messages/roomContext";

/** Return the context of the replies of a thread: they open no threads, and are unread only for people who take part in it. */
export function threadContext(context: RoomContextValue, takesPart: boolean): RoomContextValue {
  return { ...context, openThread: null, markUnread: takesPart ? context.markUnread : null };
}
