import { Hash, Newspaper, Video } from "lucide-react";
import type { Room } from "./queries";

const ICONS = { chat: Hash, post: Newspaper, video: Video };

/** The icon of a room type. */
export function RoomIcon({ type, size = 16 }: { type: Room["room_type"]; size?: number }) {
  const Icon = ICONS[type];
  return <Icon size={size} aria-hidden />;
}
