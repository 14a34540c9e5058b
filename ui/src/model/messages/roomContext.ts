import { createContext, use } from "react";
import type { Room } from "@/model/rooms/queries";
import type { Message } from "./history";

/** Where messages are shown, who looks at them, and what can be done from here. */
export interface RoomContextValue {
  room: Room;
  personId: string;
  /** Whether one may write here: a space member, in a room that is not archived. */
  canWrite: boolean;
  /** Whether one may delete what others wrote. */
  canModerate: boolean;
  editingId: string | null;
  edit: (messageId: string | null) => void;
  openThread: ((message: Message) => void) | null;
}

export const RoomContext = createContext<RoomContextValue | null>(null);

export function useRoomContext(): RoomContextValue {
  const context = use(RoomContext);
  if (!context) throw new Error("no RoomContext around this component");
  return context;
}
