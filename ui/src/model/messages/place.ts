import { createContext, use } from "react";
import type { Room } from "@/model/rooms/queries";
import type { Message } from "./walk";

/** Where messages are shown, who looks at them, and what can be done from here. */
export interface Place {
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

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = use(PlaceContext);
  if (!place) throw new Error("messages are shown inside a place");
  return place;
}
