import { createContext, type ReactNode } from "react";
import type { Room } from "./queries";

/** What the application shows at the beginning of a room without messages. */
export const EmptyRoomContext = createContext<(room: Room) => ReactNode>(() => null);
