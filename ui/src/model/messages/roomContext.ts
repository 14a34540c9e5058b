import { createContext, use } from "react";
import type { Room } from "@/model/rooms/queries";
import type { Message } from "./history";

/** The room that messages are shown in, the reader, and what the reader can do. */
export interface RoomContextValue {
  room: Room;
  personId: string;
  /** Whether the reader can send messages: as a space member, in a room that is not archived. */
  canWrite: boolean;
  /** Whether the reader can delete the messages of others. */
  canModerate: boolean;
  editingId: string | null;
  edit: (messageId: string | null) => void;
  openThread: ((message: Message) => void) | null;
  /** Mark a message as unread, with those after it; null where nothing counts as unread. */
  markUnread: ((message: Message) => void) | null;
}

export const RoomContext = createContext<RoomContextValue | null>(null);

export function useRoomContext(): RoomContextValue {
  const context = use(RoomContext);
  if (!context) throw new Error("no RoomContext around this component");
  return context;
}
